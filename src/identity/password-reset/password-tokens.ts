import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { hashToken } from '../sessions/sessions.service';

/** Whose password a mailed token lets somebody choose. */
export interface PasswordTokenHolder {
  tenant_id: string;
  user_id: string;
}

/** More living links than this at a time help nobody, and would let strangers fill a mailbox. */
const MOST_LIVING = 5;

/** A token is good while unused, unexpired, its user active and its tenant, too. */
const GOOD = `FROM users u JOIN tenants t ON t.id = u.tenant_id
  WHERE u.id = r.user_id AND u.active AND t.suspended_at IS NULL
    AND r.token_hash = $1 AND r.used_at IS NULL AND r.expires_at > $2`;

/** One-time tokens that go out by mail, kept as hashes. */
@Injectable()
export class PasswordTokens {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * A new token. The caller has locked the user's row, so that two mails made at the same time take turns.
   * @returns undefined when the user has too many living ones
   */
  async issue(
    tx: Transaction,
    { tenant_id, user_id }: PasswordTokenHolder,
    ttlSeconds: number,
  ): Promise<string | undefined> {
    if (await this.hasEnough(tx, user_id)) return undefined;
    const token = randomBytes(32).toString('base64url');
    await tx.query(
      'INSERT INTO password_resets (token_hash, tenant_id, user_id, expires_at) VALUES ($1, $2, $3, $4)',
      [hashToken(token), tenant_id, user_id, this.clock.in(ttlSeconds)],
    );
    return token;
  }

  /** Whether no further token would be issued now. */
  async hasEnough(tx: Transaction, userId: string): Promise<boolean> {
    const living = await tx.query(
      'SELECT FROM password_resets WHERE user_id = $1 AND used_at IS NULL AND expires_at > $2',
      [userId, this.clock.now()],
    );
    return living.length >= MOST_LIVING;
  }

  /** Takes back a token whose mail could not be sent. */
  async withdraw({ tenant_id }: PasswordTokenHolder, token: string): Promise<void> {
    await this.database.tenant(tenant_id, (tx) =>
      tx.query('DELETE FROM password_resets WHERE token_hash = $1', [hashToken(token)]),
    );
  }

  /** Whether the token is good right now. */
  async isGood(token: string): Promise<boolean> {
    const [found] = await this.database.readSystem<[object]>([
      {
        text: `SELECT 1 FROM password_resets r WHERE EXISTS (SELECT ${GOOD})`,
        values: [hashToken(token), this.clock.now()],
      },
    ]);
    return found.length > 0;
  }

  /** Uses the token up: of two requests with one token, one gets its holder. */
  async use(tx: Transaction, token: string): Promise<PasswordTokenHolder | undefined> {
    // The user's row before any token, as everywhere: two links of one user would else wait for each other.
    await tx.query(
      `SELECT FROM users WHERE id = (SELECT user_id FROM password_resets WHERE token_hash = $1)
       FOR NO KEY UPDATE`,
      [hashToken(token)],
    );
    return tx.one<PasswordTokenHolder>(
      `UPDATE password_resets r SET used_at = $2 ${GOOD} RETURNING r.tenant_id, r.user_id`,
      [hashToken(token), this.clock.now()],
    );
  }

  /** Makes all the user's tokens worthless: the password or the address they went to is another now. */
  async discard(tx: Transaction, userId: string): Promise<void> {
    await tx.query('DELETE FROM password_resets WHERE user_id = $1 AND used_at IS NULL', [userId]);
  }
}
