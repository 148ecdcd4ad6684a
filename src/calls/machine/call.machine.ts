/** The states of a call and the transitions between them. Pure: no imports, no clock, no database. */

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
  | 'department_closed'
  | 'requeue'
  | 'transfer'
  | 'take_over'
  | 'ring_timeout'
  | 'wait_timeout'
  | 'absence_timeout'
  | 'callback_timeout'
  | 'grace_timeout';

/** One row of the transition table. */
export interface TransitionRule {
  from: readonly CallStatus[];
  to: CallStatus;
  /** Present on transitions to a final state. */
  end_reason?: EndReason;
}

/** All transitions. Starting or completing a queued call assigns it first, so neither has `queued` in `from`. */
export const TRANSITIONS = {
  assign: { from: ['queued', 'assigned'], to: 'assigned' },
  start: { from: ['assigned'], to: 'active' },
  complete: { from: ['assigned', 'active'], to: 'completed', end_reason: 'normal' },
  hang_up: { from: ['active'], to: 'completed', end_reason: 'normal' },
  cancel: { from: ['queued', 'assigned'], to: 'cancelled', end_reason: 'abandoned' },
  department_deleted: { from: ['queued'], to: 'cancelled', end_reason: 'abandoned' },
  department_closed: { from: ['queued'], to: 'abandoned', end_reason: 'abandoned' },
  requeue: { from: ['assigned'], to: 'queued' },
  /** To the queue of another department. */
  transfer: { from: ['active'], to: 'queued' },
  /** By another agent, who accepted the transfer. */
  take_over: { from: ['active'], to: 'active' },
  ring_timeout: { from: ['assigned'], to: 'missed', end_reason: 'timeout' },
  wait_timeout: { from: ['queued'], to: 'abandoned', end_reason: 'abandoned' },
  absence_timeout: { from: ['queued'], to: 'abandoned', end_reason: 'abandoned' },
  /** The customer did not return after the last invitation. */
  callback_timeout: { from: ['queued'], to: 'abandoned', end_reason: 'abandoned' },
  grace_timeout: { from: ['active'], to: 'completed', end_reason: 'disconnect' },
} as const satisfies Record<Trigger, TransitionRule>;

/** The states that a transition can lead to. CallTransitions and effectsOf must handle each of them. */
export type TargetStatus = (typeof TRANSITIONS)[Trigger]['to'];

export const FINAL_STATUSES = [
  'completed',
  'missed',
  'cancelled',
  'abandoned',
] as const satisfies CallStatus[];

export type FinalStatus = (typeof FINAL_STATUSES)[number];

export const isFinal = (status: CallStatus): status is FinalStatus =>
  FINAL_STATUSES.some((final) => final === status);

/** What a decision depends on. */
export interface CallFacts {
  status: CallStatus;
  /** The agent it is assigned to. */
  user_id: string | null;
  /** Whether the customer is away and will be called back, which only happens while the call is queued. */
  awaits_callback: boolean;
}

/** The staff member who requests a transition. */
export interface Actor {
  user_id: string;
  /** Supervisors and above may act on other agents' calls. */
  supervises: boolean;
}

export interface TransitionRequest {
  trigger: Trigger;
  /** Absent when the customer or a deadline triggers it. */
  actor?: Actor;
  /** For assign and take_over: the agent who gets the call; `explicit` when the request names them. */
  assignee?: { id: string; name: string; avatar_url?: string | null; explicit: boolean };
  notes?: string | null;
  /** For requeue. */
  requeue?: {
    /** Whether the agent did not start the call in time. */
    is_unanswered: boolean;
    absence: CustomerAbsence;
  };
  /** For transfer. */
  transfer?: {
    /** The department in whose queue the call waits from now on; max_wait_time in seconds. */
    department: { id: string; name: string; max_wait_time: number };
    absence: CustomerAbsence;
  };
  /** For transfer and take_over: what the agent who transfers the call says about it. */
  transfer_note?: string | null;
}

/** The absence of the customer of a call that returns to a queue; null with an open socket. */
interface CustomerAbsence {
  absent_since: Date | null;
  absence_deadline: Date | null;
}

export type Decision =
  | { kind: 'transition'; to: TargetStatus; end_reason: EndReason | null }
  /** The call is in that state already: answered as if the request had just succeeded. */
  | { kind: 'repeat' }
  | { kind: 'refuse'; code: 'invalid_transition' | 'callback_pending'; detail: string };

/** Decides what a requested transition does to a call. Changes nothing. */
export function decide(call: CallFacts, move: TransitionRequest): Decision {
  const { trigger, actor } = move;
  if (isRepeat(call, move)) return { kind: 'repeat' };
  const rule: TransitionRule & { to: TargetStatus } = TRANSITIONS[trigger];
  if (!rule.from.includes(call.status)) {
    return refusal(`A call that is ${call.status} does not allow ${trigger}.`);
  }
  if (trigger === 'assign' && call.awaits_callback) {
    return refusal('The customer is away and will be called back.', 'callback_pending');
  }
  const isFree = call.status === 'queued';
  if (actor && !isFree && call.user_id !== actor.user_id && !mayActForOthers(actor, move)) {
    return refusal('The call belongs to another agent.');
  }
  return { kind: 'transition', to: rule.to, end_reason: rule.end_reason ?? null };
}

const refusal = (
  detail: string,
  code: 'invalid_transition' | 'callback_pending' = 'invalid_transition',
): Decision => ({ kind: 'refuse', code, detail });

/**
 * A supervisor may act on other agents' calls, but takes over an assigned call only by naming the new agent. Otherwise
 * two supervisors racing for one waiting call would both succeed, the second by taking it from the first.
 */
function mayActForOthers(actor: Actor, { trigger, assignee }: TransitionRequest): boolean {
  return actor.supervises && (trigger !== 'assign' || assignee?.explicit === true);
}

/** Whether the call is already in the state that the request leads to, and the sender may make the request. */
function isRepeat(call: CallFacts, { trigger, actor, assignee }: TransitionRequest): boolean {
  const isAgent = actor !== undefined && actor.user_id === call.user_id;
  const mayAsk = isAgent || actor?.supervises === true;
  switch (trigger) {
    case 'assign':
      return call.status === 'assigned' && mayAsk && assignee?.id === call.user_id;
    case 'start':
      return call.status === 'active' && isAgent;
    case 'complete':
      return call.status === 'completed' && mayAsk;
    case 'hang_up':
      return call.status === 'completed';
    case 'cancel':
      return call.status === 'cancelled';
    default:
      return false;
  }
}
