import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { InTransaction } from '../../platform/events/listeners';
import { hashToken, newOpaqueToken } from '../sessions/opaque-token';
import { PasswordChanged, UserUpdated } from '../users/user.events';

/** The user who may choose a password with a token. */
export interface PasswordTokenHolder {
  tenant_id: string;
  user_id: string;
}

/** Valid tokens of one user at a time: limits the mails that strangers can have sent to a mailbox. */
const MAX_VALID_TOKENS = 5;

/** Valid: unused, not expired, the user active and the tenant not suspended. */
const VALID = `FROM users u JOIN tenants t ON t.id = u.tenant_id
  WHERE u.id = r.user_id AND u.active AND t.suspended_at IS NULL
    AND r.token_hash = $1 AND r.used_at IS NULL AND r.expires_at > $2`;

/** One-time tokens that are sent by mail and stored as hashes; owns the table password_resets. */
@Injectable()
export class PasswordTokens {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a token. The caller must hold the lock on the user's row, so that the limit also holds for
   * mails prepared in parallel.
   * @returns undefined when the user already has the maximum of valid tokens
   */
  async issue(
    tx: Transaction,
    { tenant_id, user_id }: PasswordTokenHolder,
    ttlSeconds: number,
  ): Promise<string | undefined> {
    if (await this.hasMaxValid(tx, user_id)) return undefined;
    const token = newOpaqueToken();
    await tx.query(
      'INSERT INTO password_resets (token_hash, tenant_id, user_id, expires_at) VALUES ($1, $2, $3, $4)',
      [hashToken(token), tenant_id, user_id, this.clock.in(ttlSeconds)],
    );
    return token;
  }

  /** Whether the user has the maximum of valid tokens, so that `issue` would return none. */
  async hasMaxValid(tx: Transaction, userId: string): Promise<boolean> {
    const valid = await tx.query(
      'SELECT FROM password_resets WHERE user_id = $1 AND used_at IS NULL AND expires_at > $2',
      [userId, this.clock.now()],
    );
    return valid.length >= MAX_VALID_TOKENS;
  }

  /** Deletes a token whose mail is not sent. */
  async withdraw(tx: Transaction, token: string): Promise<void> {
    await tx.query('DELETE FROM password_resets WHERE token_hash = $1', [hashToken(token)]);
  }

  async isValid(token: string): Promise<boolean> {
    return (await this.findHolder(token)) !== undefined;
  }

  /** @returns undefined for a token that is not valid */
  async findHolder(token: string): Promise<PasswordTokenHolder | undefined> {
    const [[holder]] = await this.database.readSystem<[PasswordTokenHolder]>([
      {
        text: `SELECT tenant_id, user_id FROM password_resets r WHERE EXISTS (SELECT ${VALID})`,
        values: [hashToken(token), this.clock.now()],
      },
    ]);
    return holder;
  }

  /**
   * Marks the token as used and locks the user's row.
   * @returns undefined for a token that is not valid, also for all but one of several parallel requests
   */
  async use(tx: Transaction, token: string): Promise<PasswordTokenHolder | undefined> {
    // Lock order: the user's row before the token's. Otherwise requests with two tokens of one user could deadlock.
    await tx.query(
      `SELECT FROM users WHERE id = (SELECT user_id FROM password_resets WHERE token_hash = $1)
       FOR NO KEY UPDATE`,
      [hashToken(token)],
    );
    return tx.one<PasswordTokenHolder>(
      `UPDATE password_resets r SET used_at = $2 ${VALID} RETURNING r.tenant_id, r.user_id`,
      [hashToken(token), this.clock.now()],
    );
  }

  /** Invalidates all of the user's tokens. */
  private async discardAll(tx: Transaction, userId: string): Promise<void> {
    await tx.query('DELETE FROM password_resets WHERE user_id = $1 AND used_at IS NULL', [userId]);
  }

  /** Deletes expired tokens, used or not. */
  async deleteExpired(tx: Transaction): Promise<void> {
    await tx.query('DELETE FROM password_resets WHERE expires_at <= $1', [this.clock.now()]);
  }

  @InTransaction(PasswordChanged)
  async onPasswordChanged({ subject_id }: PasswordChanged, tx: Transaction): Promise<void> {
    await this.discardAll(tx, subject_id);
  }

  /** A new e-mail address invalidates the links that were sent to the former one. */
  @InTransaction(UserUpdated)
  async onUserUpdated({ subject_id, changed }: UserUpdated, tx: Transaction): Promise<void> {
    if (changed.includes('email')) await this.discardAll(tx, subject_id);
  }
}
