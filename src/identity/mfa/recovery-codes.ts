import { generateSecret } from 'otplib';
import type { Transaction } from '../../platform/database/transaction';
import { hashToken } from '../sessions/opaque-token';

const HOW_MANY = 10;
/** 80 random bits: too many to guess even with the hashes in hand, so a plain hash will do. */
const BYTES = 10;

/** Ten codes for whoever has lost their authenticator, as in `7k2m-ljqd-e4tv-y3hc` (Base32). */
export const newRecoveryCodes = (): string[] => Array.from({ length: HOW_MANY }, newCode);

const newCode = () => generateSecret({ length: BYTES }).toLowerCase().match(/.{4}/g)?.join('-') ?? '';

/** As it was given out, however it was typed: capitals, blanks and dashes do not matter, and there is no zero. */
export function normalizeRecoveryCode(typed: string): string {
  return typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('0', 'o');
}

const hashOf = (code: string) => hashToken(normalizeRecoveryCode(code));

/** Gives the user these codes in place of all earlier ones. */
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

/** Uses up the code. @returns whether it was one of the user's and had not been used */
export async function useRecoveryCode(
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
