import {
  CallAssigned,
  type CallEvent,
  CallRated,
  PeerDisconnected,
  PeerReconnected,
} from '../../calls/call.events';
import type { CallStatus } from '../../calls/machine/call.machine';
import type { CallPayload, CallRatedPayload } from './call.payloads';

/** A call as it is stored, its moments as they go over the wire. */
export type CallRecord = CallRatedPayload;

const NOT_ENDED = { duration: null, end_reason: null, completed_at: null, ended_at: null } as const;
const NOT_STARTED = { ...NOT_ENDED, started_at: null } as const;
const NOT_ASSIGNED = {
  ...NOT_STARTED,
  user_id: null,
  user_name: null,
  wait_time: null,
  assigned_at: null,
} as const;

/** What no call of this status has yet. */
export function notYet(status: CallStatus): Partial<CallPayload> {
  if (status === 'queued') return NOT_ASSIGNED;
  if (status === 'assigned') return NOT_STARTED;
  return status === 'active' ? NOT_ENDED : {};
}

/**
 * The call as it was at an event of its own. One transaction may make several moves, so the record can be further on:
 * a waiting call that is started outright is assigned first.
 */
export function callAtEvent(event: CallEvent, { rating_comment, ...record }: CallRecord): CallPayload {
  const { status, version, user_id } = event;
  const call = { ...record, ...notYet(status), status, version, user_id };
  if (event instanceof CallAssigned) return { ...call, ...pick(event, 'previous_user_id') };
  if (event instanceof CallRated) return { ...call, rating_comment } as CallPayload;
  if (event instanceof PeerDisconnected) {
    return { ...call, ...pick(event, 'participant', 'deadline', 'grace_seconds') };
  }
  return event instanceof PeerReconnected ? { ...call, ...pick(event, 'participant') } : call;
}

function pick<Source, Key extends keyof Source>(source: Source, ...keys: Key[]): Pick<Source, Key> {
  return Object.fromEntries(keys.map((key) => [key, source[key]])) as Pick<Source, Key>;
}
