import type { Statement } from '../platform/database/statement';
import type { Call } from './call.entity';

/** The page of a customer whose call is offered so soon shows that an agent is being called, instead of a wait. */
const AT_ONCE_SECONDS = 2;

/**
 * Whether the customer of the call `c` was shown an estimate that can be judged. There is none while no agent is reachable or the
 * department is closed, or if an agent was called at once. A customer who asked for a callback was away, so theirs does not count.
 */
export const WAS_TOLD = 'c.told_wait_time IS NOT NULL AND c.callback_status IS NULL';

/** Seconds between the estimate that was shown and the wait of an answered call; null where WAS_TOLD is false. */
export const toldWaitError = ({
  told_wait_time,
  callback_status,
  wait_time,
}: Pick<Call, 'told_wait_time' | 'callback_status' | 'wait_time'>): number | null =>
  told_wait_time === null || callback_status !== null ? null : Math.abs(told_wait_time - Number(wait_time));

/** For a call that is being offered: if the customer joined a moment ago, the page has shown no estimate. */
export const forgetToldWait = (tenantId: string, callId: string, now: Date): Statement => ({
  text: `UPDATE calls SET told_wait_time = NULL WHERE tenant_id = $1 AND id = $2 AND told_wait_time IS NOT NULL
    AND inserted_at >= $3::timestamptz - make_interval(secs => $4)`,
  values: [tenantId, callId, now, AT_ONCE_SECONDS],
});
