import {
  CallAssigned,
  type CallEvent,
  CallRated,
  CallRequeued,
  PeerDisconnected,
  PeerReconnected,
} from '../../calls/call.events';
import type { CallStatus } from '../../calls/machine/call.machine';
import type { CallPayload, CallRatedPayload } from './call.payloads';

/** A stored call, with times as ISO 8601. */
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

/** The fields that a call of this status does not have yet, as null. */
export function unsetFields(status: CallStatus): Partial<CallPayload> {
  if (status === 'queued') return NOT_ASSIGNED;
  if (status === 'assigned') return NOT_STARTED;
  return status === 'active' ? NOT_ENDED : {};
}

/**
 * The call as it was at the event. The record may be ahead of it, because one transaction can make several transitions:
 * a waiting call that is started is assigned first.
 */
export function callAtEvent(event: CallEvent, { rating_comment, ...record }: CallRecord): CallPayload {
  const { status, version, user_id } = event;
  const call = { ...record, ...unsetFields(status), status, version, user_id };
  if (event instanceof CallAssigned) return { ...call, ...pick(event, 'previous_user_id') };
  if (event instanceof CallRequeued) {
    return { ...call, ...pick(event, 'previous_user_id', 'unanswered_count') };
  }
  if (event instanceof CallRated) return { ...call, rating_comment } as CallPayload;
  if (event instanceof PeerDisconnected) {
    return { ...call, ...pick(event, 'participant', 'deadline', 'grace_seconds') };
  }
  return event instanceof PeerReconnected ? { ...call, ...pick(event, 'participant') } : call;
}

function pick<Source, Key extends keyof Source>(source: Source, ...keys: Key[]): Pick<Source, Key> {
  return Object.fromEntries(keys.map((key) => [key, source[key]])) as Pick<Source, Key>;
}
