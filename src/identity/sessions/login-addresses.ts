import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import { notHeld } from '../../tenancy/legal-holds';

const KNOWN_SECONDS = 30 * 86_400;

/**
 * Makes addresses known, as a statement or as a part of one.
 * @param rows the SQL of their tenants, users, addresses and times
 */
export const addressInsertion = (rows: string): string =>
  `INSERT INTO login_addresses (tenant_id, user_id, address, last_login_at) ${rows}
   ON CONFLICT (user_id, address) DO UPDATE SET last_login_at = excluded.last_login_at`;

/**
 * The client addresses from which users have logged in or chosen a password by a mailed link; owns the table
 * login_addresses.
 */
@Injectable()
export class LoginAddresses {
  constructor(private readonly clock: Clock) {}

  /** An address is known to a user who has last used it after this time: 30 days ago. */
  get knownSince(): Date {
    return this.clock.in(-KNOWN_SECONDS);
  }

  /** Makes the address known to the user, without waiting. @param address as rate limits count it */
  add(tx: Transaction, user: { id: string; tenant_id: string }, address: string): void {
    tx.send({
      text: addressInsertion('VALUES ($1, $2, $3, $4)'),
      values: [user.tenant_id, user.id, address, this.clock.now()],
    });
  }

  /** Deletes addresses that are no longer known, except those of held tenants. */
  async deleteOld(tx: Transaction): Promise<void> {
    await tx.query(
      `DELETE FROM login_addresses WHERE last_login_at <= $1 AND ${notHeld('login_addresses.tenant_id')}`,
      [this.knownSince],
    );
  }
}
