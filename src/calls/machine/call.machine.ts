/** The states of a call and the moves between them. Pure: no imports, no clock, no database. */

export const CALL_STATUSES = [
  'queued',
  'assigned',
  'active',
  'completed',
  'missed',
  'cancelled',
  'abandoned',
] as const;

export type CallStatus = (typeof CALL_STATUSES)[number];

export type EndReason = 'normal' | 'timeout' | 'disconnect' | 'abandoned';

export type Trigger =
  | 'assign'
  | 'start'
  | 'complete'
  | 'hang_up'
  | 'cancel'
  | 'department_deleted'
  | 'ring_timeout'
  | 'wait_timeout'
  | 'absence_timeout'
  | 'grace_timeout';

interface Rule {
  from: readonly CallStatus[];
  to: CallStatus;
  /** Present on moves to a final state. */
  end_reason?: EndReason;
}

/** Every move there is. Starting or completing a queued call assigns it first, so both begin later. */
export const TRANSITIONS: Record<Trigger, Rule> = {
  assign: { from: ['queued', 'assigned'], to: 'assigned' },
  start: { from: ['assigned'], to: 'active' },
  complete: { from: ['assigned', 'active'], to: 'completed', end_reason: 'normal' },
  hang_up: { from: ['active'], to: 'completed', end_reason: 'normal' },
  cancel: { from: ['queued', 'assigned'], to: 'cancelled', end_reason: 'abandoned' },
  department_deleted: { from: ['queued'], to: 'cancelled', end_reason: 'abandoned' },
  ring_timeout: { from: ['assigned'], to: 'missed', end_reason: 'timeout' },
  wait_timeout: { from: ['queued'], to: 'abandoned', end_reason: 'abandoned' },
  absence_timeout: { from: ['queued'], to: 'abandoned', end_reason: 'abandoned' },
  grace_timeout: { from: ['active'], to: 'completed', end_reason: 'disconnect' },
};

export const FINAL_STATUSES: readonly CallStatus[] = ['completed', 'missed', 'cancelled', 'abandoned'];

export const isFinal = (status: CallStatus): boolean => FINAL_STATUSES.includes(status);

/** What the machine needs to know of a call. */
export interface CallFacts {
  status: CallStatus;
  /** The agent it is assigned to. */
  user_id: string | null;
}

/** A member of staff who asks for a move. */
export interface Actor {
  user_id: string;
  /** Whether they may act on other agents' calls: supervisors and above. */
  supervises: boolean;
}

export interface Move {
  trigger: Trigger;
  /** Absent when the customer or a deadline asks. */
  actor?: Actor;
  /** For assign: who gets the call. */
  assignee?: { id: string; name: string; explicit: boolean };
  notes?: string | null;
}

export type Decision =
  | { kind: 'move'; to: CallStatus; end_reason: EndReason | null }
  /** Already so, by the same agent: answer as if it had just been done. */
  | { kind: 'repeat' }
  | { kind: 'refuse'; detail: string };

/** Decides what a move does to a call; nothing is changed here. */
export function decide(call: CallFacts, move: Move): Decision {
  const { trigger, actor } = move;
  if (isRepeat(call, move)) return { kind: 'repeat' };
  const rule = TRANSITIONS[trigger];
  if (!rule.from.includes(call.status)) {
    return { kind: 'refuse', detail: `A call that is ${call.status} cannot take the step ${trigger}.` };
  }
  const isFree = call.status === 'queued';
  if (actor && !isFree && call.user_id !== actor.user_id && !mayActForOthers(actor, move)) {
    return { kind: 'refuse', detail: 'The call belongs to another agent.' };
  }
  return { kind: 'move', to: rule.to, end_reason: rule.end_reason ?? null };
}

/**
 * A supervisor acts on other agents' calls, but takes an assigned one over only by naming the new agent:
 * two supervisors who both reach for a waiting call are in a race, and one of them has to lose it.
 */
function mayActForOthers(actor: Actor, { trigger, assignee }: Move): boolean {
  return actor.supervises && (trigger !== 'assign' || assignee?.explicit === true);
}

function isRepeat(call: CallFacts, { trigger, actor, assignee }: Move): boolean {
  if (trigger === 'assign' && call.status === 'assigned') {
    const mayAsk = actor !== undefined && (actor.user_id === call.user_id || actor.supervises);
    return mayAsk && assignee?.id === call.user_id;
  }
  return trigger === 'start' && call.status === 'active' && actor?.user_id === call.user_id;
}
