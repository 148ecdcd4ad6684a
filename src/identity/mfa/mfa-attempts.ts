import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { hashToken } from '../sessions/sessions.service';

/** Whose second factor is being asked for. */
export interface MfaAttempt {
  tenant_id: string;
  user_id: string;
}

const LIFETIME_SECONDS = 300;
const TRIES = 5;

/** From a right password to a right code: short, and with few tries. */
@Injectable()
export class MfaAttempts {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @returns the attempt's token, which only its holder knows */
  async begin(tx: Transaction, user: { id: string; tenant_id: string }): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await tx.query(
      'INSERT INTO mfa_attempts (token_hash, tenant_id, user_id, expires_at) VALUES ($1, $2, $3, $4)',
      [hashToken(token), user.tenant_id, user.id, this.clock.in(LIFETIME_SECONDS)],
    );
    return token;
  }

  /**
   * Uses up one of the attempt's tries, before the code is looked at and in a transaction of its own:
   * codes that are sent at the same time cannot share a try.
   * @returns undefined for an attempt that does not exist, has expired or has no tries left
   */
  takeTry(token: string): Promise<MfaAttempt | undefined> {
    return this.database.system((tx) =>
      tx.one<MfaAttempt>(
        `UPDATE mfa_attempts SET tries = tries + 1 WHERE token_hash = $1 AND tries < $2 AND expires_at > $3
         RETURNING tenant_id, user_id`,
        [hashToken(token), TRIES, this.clock.now()],
      ),
    );
  }

  /** Whether nothing has ended it yet. @param tx holds the user's row, as whoever ends an attempt does */
  async isOpen(tx: Transaction, token: string): Promise<boolean> {
    const open = await tx.query('SELECT FROM mfa_attempts WHERE token_hash = $1', [hashToken(token)]);
    return open.length > 0;
  }

  async finish(tx: Transaction, token: string): Promise<void> {
    await tx.query('DELETE FROM mfa_attempts WHERE token_hash = $1', [hashToken(token)]);
  }
}
