import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import type { Presence } from './presence.rules';

/** Records when users were online, away or busy, for reports. */
@Injectable()
export class PresencePeriods {
  /**
   * Ends the user's current period and starts the next one, unless they are offline, without waiting. The caller holds the row lock of
   * the user's presence.
   * @param at moved to the period's start if it is earlier: the clocks of instances may differ slightly
   */
  switchPeriod(tx: Transaction, tenantId: string, userId: string, presence: Presence, at: Date): void {
    tx.send({
      text: `UPDATE presence_periods SET ended_at = GREATEST(began_at, $2)
        WHERE user_id = $1 AND ended_at = 'infinity'`,
      values: [userId, at],
    });
    if (presence === 'offline') return;
    tx.send({
      text: 'INSERT INTO presence_periods (tenant_id, user_id, presence, began_at) VALUES ($1, $2, $3, $4)',
      values: [tenantId, userId, presence, at],
    });
  }
}
