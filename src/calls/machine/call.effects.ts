import type { Call } from '../call.entity';
import {
  type CallStatus,
  type Decision,
  isFinal,
  type TransitionRequest,
  type TargetStatus,
  type Trigger,
} from './call.machine';
import type { CallChanges } from './call-writer';
import { endedWithCall } from '../callbacks/callback.effects';
import { recordingAfter } from '../media/recording-state.rules';
import { requeued, suspendedDeadlines } from './requeue.effects';
import { takenOver, transferred } from './transfer.effects';

type Transition = Extract<Decision, { kind: 'transition' }>;

/** What the effects of a transition depend on. */
interface TransitionContext {
  call: Call;
  move: TransitionRequest;
  transition: Transition;
  now: Date;
  /** Seconds that an agent has to start the call. */
  ringSeconds: number;
}

/** The columns that are cleared when a call changes its state. */
const CLEARED = {
  wait_deadline: null,
  absence_deadline: null,
  ring_deadline: null,
  customer_grace_deadline: null,
  agent_grace_deadline: null,
  priority_deadline: null,
  suspended_wait_deadline: null,
  suspended_priority_deadline: null,
  absent_since: null,
} as const;

/** Whole seconds between two times, never negative: the clocks of instances may differ slightly. */
export function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000));
}

/** A customer who is away while the department is closed does not wait before it opens. */
const waitBegan = ({ waits_from, inserted_at }: Call): Date => waits_from ?? inserted_at;

/** The changes by target state. A transition to a state without an entry does not compile. */
const EFFECTS: Record<TargetStatus, (context: TransitionContext) => CallChanges> = {
  queued: ({ call, move, now }) => ({
    ...CLEARED,
    ...(move.trigger === 'transfer' ? transferred : requeued)(call, move, now),
  }),
  assigned,
  active: ({ call, move, now }) =>
    move.trigger === 'take_over'
      ? takenOver(call, move, now)
      : {
          ...CLEARED,
          // A transfer to a department returns the call to a queue, where its appointment still counts.
          suspended_priority_deadline: call.suspended_priority_deadline,
          started_at: call.started_at ?? now,
        },
  completed: (context) => ({
    ...ended(context),
    completed_at: context.now,
    duration: context.call.started_at ? secondsBetween(context.call.started_at, context.now) : null,
  }),
  missed: (context) => ({ ...ended(context), unanswered_count: context.call.unanswered_count + 1 }),
  cancelled: (context) => ({ ...ended(context), left_after: secondsUntilLeft(context) }),
  abandoned: ended,
};

/** The columns that a transition changes, besides those that CallWriter maintains. */
export function effectsOf(context: TransitionContext): CallChanges {
  const { to } = context.transition;
  const changes = EFFECTS[to](context);
  return { status: to, ...changes, ...recordingEffect(context.call, to, changes) };
}

/** The recording by the agent's browser ends when the call ends or gets another agent. */
function recordingEffect(call: Call, to: TargetStatus, { user_id = call.user_id }: CallChanges): CallChanges {
  const hasOtherAgent = user_id !== call.user_id;
  const recording = recordingAfter(call.recording, { isFinal: isFinal(to), hasOtherAgent });
  return recording === call.recording ? {} : { recording };
}

function assigned({ call, move: { assignee }, now, ringSeconds }: TransitionContext): CallChanges {
  if (!assignee) throw new Error('assign needs an assignee');
  return {
    ...CLEARED,
    ...suspendedDeadlines(call, now),
    user_id: assignee.id,
    user_name: assignee.name,
    assigned_at: now,
    // A new agent has not connected yet, so no grace period may start for them.
    agent_connected_at: null,
    // The wait ends with the last assignment before the first start.
    wait_time: call.started_at ? call.wait_time : secondsBetween(waitBegan(call), now),
    ring_deadline: new Date(now.getTime() + ringSeconds * 1000),
  };
}

function ended({ call, move: { notes, trigger }, transition, now }: TransitionContext): CallChanges {
  return {
    ...CLEARED,
    ...endedWithCall(call, trigger === 'callback_timeout'),
    ended_at: now,
    completed_at: null,
    end_reason: transition.end_reason,
    duration: null,
    wait_time: call.wait_time ?? secondsBetween(waitBegan(call), now),
    ...(notes ? { notes } : {}),
  };
}

/** Deleting a department cancels its calls at once, which is no decision of the customers. */
function secondsUntilLeft({ call, move: { trigger }, now }: TransitionContext): number {
  return trigger === 'department_deleted' ? 0 : secondsBetween(call.transferred_at ?? waitBegan(call), now);
}

const DEADLINES: readonly { column: DeadlineColumn; trigger: Trigger; in: CallStatus }[] = [
  { column: 'wait_deadline', trigger: 'wait_timeout', in: 'queued' },
  { column: 'absence_deadline', trigger: 'absence_timeout', in: 'queued' },
  { column: 'ring_deadline', trigger: 'ring_timeout', in: 'assigned' },
  { column: 'customer_grace_deadline', trigger: 'grace_timeout', in: 'active' },
  { column: 'agent_grace_deadline', trigger: 'grace_timeout', in: 'active' },
];

type DeadlineColumn =
  'wait_deadline' | 'absence_deadline' | 'ring_deadline' | 'customer_grace_deadline' | 'agent_grace_deadline';

/** @returns the trigger of the earliest deadline that has passed, or undefined */
export function dueTrigger(call: Pick<Call, DeadlineColumn | 'status'>, now: Date): Trigger | undefined {
  return DEADLINES.filter((deadline) => deadline.in === call.status)
    .map((deadline) => ({ ...deadline, at: call[deadline.column] }))
    .filter((deadline) => deadline.at !== null && deadline.at <= now)
    .sort((one, other) => Number(one.at) - Number(other.at))[0]?.trigger;
}

/** Whether a waiting call's priority begins now. */
export function gainsPriority(call: Pick<Call, 'status' | 'priority_deadline'>, now: Date): boolean {
  return call.status === 'queued' && call.priority_deadline !== null && call.priority_deadline <= now;
}
