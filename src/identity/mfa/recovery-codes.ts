import { generateSecret } from 'otplib';
import type { Transaction } from '../../platform/database/transaction';
import { hashToken } from '../sessions/opaque-token';

const CODE_COUNT = 10;
/** 80 random bits: too many to brute-force even from the hashes, so a plain SHA-256 is enough. */
const CODE_BYTES = 10;

/** Ten new codes in Base32, such as `7k2m-ljqd-e4tv-y3hc`. */
export const newRecoveryCodes = (): string[] => Array.from({ length: CODE_COUNT }, newCode);

const newCode = () => generateSecret({ length: CODE_BYTES }).toLowerCase().match(/.{4}/g)?.join('-') ?? '';

/** Ignores case, spaces and dashes, and reads 0 as O, since Base32 has no zero. */
export function normalizeRecoveryCode(typed: string): string {
  return typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('0', 'o');
}

/** Whether it has the form of a recovery code. Codes of an authenticator app have six digits. */
export const isRecoveryCode = (typed: string): boolean => /^[a-z2-7]{16}$/.test(normalizeRecoveryCode(typed));

const hashOf = (code: string) => hashToken(normalizeRecoveryCode(code));

/** Stores these codes in place of all earlier ones. */
export async function replaceRecoveryCodes(
  tx: Transaction,
  user: { id: string; tenant_id: string },
  codes: string[],
): Promise<void> {
  await tx.query('DELETE FROM recovery_codes WHERE user_id = $1', [user.id]);
  await tx.query(
    `INSERT INTO recovery_codes (tenant_id, user_id, code_hash) SELECT $1, $2, unnest($3::text[])`,
    [user.tenant_id, user.id, codes.map(hashOf)],
  );
}

/** Marks the code as used. @returns false for a code that is not the user's or was already used */
export async function consumeRecoveryCode(
  tx: Transaction,
  userId: string,
  code: string,
  now: Date,
): Promise<boolean> {
  const used = await tx.query(
    `UPDATE recovery_codes SET used_at = $3 WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL
     RETURNING code_hash`,
    [userId, hashOf(code), now],
  );
  return used.length > 0;
}
