import type { CallDetailsDto } from '../../calls/call-details.dto';
import {
  CallAssigned,
  type CallEvent,
  CallRated,
  CallRequeued,
  CallTransferred,
} from '../../calls/call.events';
import { PeerDisconnected, PeerReconnected } from '../../calls/participant.events';
import { type CallStatus, isFinal } from '../../calls/machine/call.machine';
import type { CallPayload, CallRatedPayload } from './call.payloads';

/** A stored call, with times as ISO 8601. */
export type CallRecord = CallRatedPayload & Pick<CallDetailsDto, 'transferred_from'>;

const NOT_ENDED = { duration: null, end_reason: null, completed_at: null, ended_at: null } as const;
const NOT_STARTED = { ...NOT_ENDED, started_at: null } as const;
const WITHOUT_AGENT = { user_id: null, user_name: null, assigned_at: null } as const;

/**
 * The fields that a call of this status does not have yet, or no longer, as null.
 * @param isTransferred whether it was started before: such a call keeps the times of its first wait and start
 */
export function unsetFields(status: CallStatus, isTransferred = false): Partial<CallPayload> {
  if (isFinal(status)) return {};
  if (isTransferred || status === 'active') {
    return { ...NOT_ENDED, ...(status === 'queued' ? WITHOUT_AGENT : {}) };
  }
  return { ...NOT_STARTED, ...(status === 'queued' ? { ...WITHOUT_AGENT, wait_time: null } : {}) };
}

/**
 * The call as it was at the event. The record may be ahead of it, because one transaction can make several transitions:
 * a waiting call that is started is assigned first.
 */
export function callAtEvent(
  event: CallEvent,
  { rating_comment, transferred_from, ...record }: CallRecord,
): CallPayload {
  const { status, version, user_id } = event;
  // No transaction transfers a call and makes another transition before that, so the record is not ahead in this.
  const unset = unsetFields(status, Boolean(transferred_from));
  const call = { ...record, ...unset, status, version, user_id };
  if (event instanceof CallAssigned) return { ...call, ...pick(event, 'previous_user_id') };
  if (event instanceof CallRequeued) {
    return { ...call, ...pick(event, 'previous_user_id', 'unanswered_count') };
  }
  if (event instanceof CallTransferred) {
    return { ...call, ...pick(event, 'previous_department_id', 'previous_user_id') };
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
