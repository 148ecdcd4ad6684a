import type { CallbackDto } from '../callbacks/callback.dto';
import type { CallStatus } from '../machine/call.machine';
import {
  type CustomerEstimate,
  customerEstimate,
  type LineRate,
  NO_WAIT,
  secondsSince,
  secondsUntil,
} from './customer-estimate.rules';
import type { LearnedWaits } from './estimates/wait-estimate.rules';

/**
 * A call's position in its department's queue, or in that of the department to which it overflowed if it is better there.
 * The estimate is 0 once the call is no longer queued.
 */
export interface QueuePosition extends CustomerEstimate {
  call_id: string;
  status: CallStatus;
  version: number;
  /** 1 is next; 0 once the call is no longer queued. */
  position: number;
  /** Customers waiting in this queue. */
  queue_size: number;
  /** Whether the waiting call is being offered to an agent. */
  ringing: boolean;
  /** Null if the customer never requested one. */
  callback: CallbackDto | null;
  /** Messages of the call's chat, which do not change the version. */
  chat_message_count: number;
}

/** A position of a call that is known to be waiting. */
export type WaitingPosition = Omit<QueuePosition, 'status' | 'callback' | 'chat_message_count'>;

/** The position of a waiting call in the line of one department. */
export interface LinePosition extends WaitingPosition {
  /** Whether the call stands in the line of another department, too, where its position may be better. */
  is_overflowed?: boolean;
}

/** What a position is computed from. */
export type PositionRow = Omit<QueuePosition, keyof CustomerEstimate> &
  LineRate & {
    /** That of the queue. */
    department_id: string;
    inserted_at: Date | string;
    wait_deadline: Date | string | null;
    /** Seconds that the call may wait once its customer, who will be called back, returns; null with a deadline. */
    suspended_limit: number | null;
    /** Calls ahead that are being offered to an agent. */
    offered: number;
  };

export function positionFrom(row: PositionRow, learned: LearnedWaits, now: Date): QueuePosition {
  const { call_id, status, version, position, queue_size, ringing, callback, chat_message_count } = row;
  const { offered, inserted_at, wait_deadline, suspended_limit } = row;
  const call = {
    position,
    offered,
    waited: secondsSince(inserted_at, now),
    limit: suspended_limit ?? secondsUntil(wait_deadline, now),
  };
  const estimate = position > 0 ? customerEstimate(call, row, learned) : NO_WAIT;
  return {
    call_id,
    status,
    version,
    position,
    ...estimate,
    queue_size,
    ringing,
    callback,
    chat_message_count,
  };
}
