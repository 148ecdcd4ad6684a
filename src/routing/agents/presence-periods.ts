import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction';
import type { AnnouncedState } from './agent.events';

type Period = Pick<AnnouncedState, 'user_id' | 'presence' | 'state' | 'reason'>;

/** Records when users were online, away or busy, and in which state, for reports. */
@Injectable()
export class PresencePeriods {
  /**
   * Ends the current period of each user and starts the next one, unless they are offline, by one statement and without
   * waiting. The caller holds the locks of the agents.
   * @param at moved to the period's start if it is earlier: the clocks of instances may differ slightly
   */
  switchTo(tx: Transaction, tenantId: string, periods: readonly Period[], at: Date): void {
    if (periods.length === 0) return;
    tx.send({
      // A user has one open period, so the current one is ended first: the INSERT needs the number of those that ended.
      text: `WITH given AS (
          SELECT * FROM jsonb_to_recordset($2::jsonb) AS g (user_id uuid, presence text, state text, reason text)),
        ended AS (
          UPDATE presence_periods p SET ended_at = GREATEST(p.began_at, $3) FROM given g
          WHERE p.user_id = g.user_id AND p.ended_at = 'infinity' RETURNING p.id)
        INSERT INTO presence_periods (tenant_id, user_id, presence, state, reason, began_at)
        SELECT $1, g.user_id, g.presence, g.state, g.reason, $3 FROM given g
        WHERE g.presence <> 'offline' AND (SELECT count(*) FROM ended) >= 0`,
      values: [tenantId, JSON.stringify(periods.map(toPeriod)), at],
    });
  }
}

const toPeriod = ({ user_id, presence, state, reason }: Period): Period => ({
  user_id,
  presence,
  state,
  reason,
});
