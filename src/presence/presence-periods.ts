import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import type { Presence } from './presence.rules';

/** When users were online, away or busy: what reports of their work are made from. */
@Injectable()
export class PresencePeriods {
  /**
   * Ends the user's present period and begins the next one, unless they are offline now. The caller holds the
   * lock of the user's presence.
   * @param at never before the period's beginning: clocks of instances may differ a little
   */
  async turn(tx: Transaction, tenantId: string, userId: string, presence: Presence, at: Date): Promise<void> {
    await tx.query(
      `UPDATE presence_periods SET ended_at = GREATEST(began_at, $2)
       WHERE user_id = $1 AND ended_at = 'infinity'`,
      [userId, at],
    );
    if (presence === 'offline') return;
    await tx.query(
      'INSERT INTO presence_periods (tenant_id, user_id, presence, began_at) VALUES ($1, $2, $3, $4)',
      [tenantId, userId, presence, at],
    );
  }
}
