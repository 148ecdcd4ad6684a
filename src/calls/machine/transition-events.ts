import {
  CallAssigned,
  CallEnded,
  type CallEvent,
  CallRequeued,
  CallStarted,
  CallTransferred,
} from '../call.events';
import type { Call } from '../call.entity';
import { RecordingStateChanged } from '../media/recording-state.events';
import type { TargetStatus, TransitionRequest } from './call.machine';
import type { Transition } from './transition-effects';

export interface AppliedTransition extends Transition {
  move: TransitionRequest;
  to: TargetStatus;
}

type EventFactory = (before: Call, after: Call, now: Date, move: TransitionRequest) => CallEvent;

const transferred: EventFactory = (before, after, now, { transfer_note, assignee }) =>
  new CallTransferred(after, now, before, transfer_note ?? null, assignee?.avatar_url ?? null);

/** The event by target state. A transition to a state without an entry does not compile. */
const EVENTS: Record<TargetStatus, EventFactory> = {
  queued: (before, after, now, move) =>
    move.trigger === 'transfer'
      ? transferred(before, after, now, move)
      : new CallRequeued(after, now, before.user_id),
  assigned: (before, after, now, { assignee }) =>
    new CallAssigned(after, now, before.user_id, assignee?.avatar_url ?? null),
  active: (before, after, now, move) =>
    move.trigger === 'take_over' ? transferred(before, after, now, move) : new CallStarted(after, now),
  completed: (_, after, now) => new CallEnded(after, 'completed', now),
  missed: (_, after, now) => new CallEnded(after, 'missed', now),
  cancelled: (_, after, now) => new CallEnded(after, 'cancelled', now),
  abandoned: (_, after, now) => new CallEnded(after, 'abandoned', now),
};

/** The events of a transition in their order: a recording ends before its agent leaves the call. */
export function transitionEvents({ before, after, to, move }: AppliedTransition, now: Date): CallEvent[] {
  const event = EVENTS[to](before, after, now, move);
  if (after.recording === before.recording) return [event];
  // It was the recording of the agent so far, whose browser has to stop it, also if the call has another agent now or none.
  const recorded = { ...after, user_id: before.user_id };
  return [new RecordingStateChanged(recorded, now, 'agent', true), event];
}
