import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import type { VerifiedAccount } from './login-account-finder';
import { hashToken, newOpaqueToken } from './opaque-token';

/** The user whose login waits for a second factor. */
export interface MfaAttempt {
  tenant_id: string;
  user_id: string;
}

const LIFETIME_SECONDS = 300;
const MAX_CODES = 5;

/** Logins whose password was right and whose second factor is still missing; owns the table mfa_attempts. */
@Injectable()
export class MfaAttemptStore {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates an attempt without waiting. If the account has changed, the transaction fails (isAccountChanged of login.ts).
   * @returns the attempt's token, of which only the hash is stored
   */
  create(tx: Transaction, { id, tenant_id, password_hash }: VerifiedAccount): string {
    const token = newOpaqueToken();
    tx.send({
      text: `INSERT INTO mfa_attempts (token_hash, tenant_id, user_id, expires_at)
        VALUES ($1, $2, (SELECT id FROM users WHERE id = $3 AND active AND password_hash = $4 AND mfa_enabled
          FOR NO KEY UPDATE), $5)`,
      values: [hashToken(token), tenant_id, id, password_hash, this.clock.in(LIFETIME_SECONDS)],
    });
    return token;
  }

  /**
   * Counts a code before it is checked, in a transaction of its own, so that codes sent in parallel
   * are counted one by one.
   * @returns undefined for an attempt that does not exist, has expired or has had too many codes
   */
  countCode(token: string): Promise<MfaAttempt | undefined> {
    return this.database.system((tx) =>
      tx.one<MfaAttempt>(
        `UPDATE mfa_attempts SET tries = tries + 1 WHERE token_hash = $1 AND tries < $2 AND expires_at > $3
         RETURNING tenant_id, user_id`,
        [hashToken(token), MAX_CODES, this.clock.now()],
      ),
    );
  }

  /**
   * Whether the attempt still exists.
   * @param tx must hold the lock on the user's row, as every transaction that deletes an attempt does
   */
  async isOpen(tx: Transaction, token: string): Promise<boolean> {
    const open = await tx.query('SELECT FROM mfa_attempts WHERE token_hash = $1', [hashToken(token)]);
    return open.length > 0;
  }

  async delete(tx: Transaction, token: string): Promise<void> {
    await tx.query('DELETE FROM mfa_attempts WHERE token_hash = $1', [hashToken(token)]);
  }

  async deleteAllOfUser(tx: Transaction, userId: string): Promise<void> {
    await tx.query('DELETE FROM mfa_attempts WHERE user_id = $1', [userId]);
  }

  async deleteExpired(tx: Transaction): Promise<void> {
    await tx.query('DELETE FROM mfa_attempts WHERE expires_at <= $1', [this.clock.now()]);
  }
}
