import type { Statement } from '../platform/database/statement';
import type { Call } from './call.entity';

/** The page of a customer whose call is offered so soon shows that an agent is being called, instead of a wait. */
const AT_ONCE_SECONDS = 2;

/**
 * Whether the customer of the call `c` was told a wait by which its estimate can be judged: none while no agent is reachable, while
 * the department is closed, or if an agent was called at once, and not if they asked for a callback and were away.
 */
export const WAS_TOLD = 'c.told_wait_time IS NOT NULL AND c.callback_status IS NULL';

/** Seconds by which the wait that was told differed from that of an answered call; null as WAS_TOLD. */
export const toldWaitError = ({
  told_wait_time,
  callback_status,
  wait_time,
}: Pick<Call, 'told_wait_time' | 'callback_status' | 'wait_time'>): number | null =>
  told_wait_time === null || callback_status !== null ? null : Math.abs(told_wait_time - Number(wait_time));

/** For a call that is being offered: the wait does not count as told if the customer has joined a moment ago. */
export const forgetToldWait = (tenantId: string, callId: string, now: Date): Statement => ({
  text: `UPDATE calls SET told_wait_time = NULL WHERE tenant_id = $1 AND id = $2 AND told_wait_time IS NOT NULL
    AND inserted_at >= $3::timestamptz - make_interval(secs => $4)`,
  values: [tenantId, callId, now, AT_ONCE_SECONDS],
});
