import type { Call } from '../call.entity';
import { type CallStatus, type Decision, isFinal, type Move, type Trigger } from './call.machine';

type Change = Extract<Decision, { kind: 'move' }>;

const NO_DEADLINES = {
  wait_deadline: null,
  absence_deadline: null,
  ring_deadline: null,
  customer_grace_deadline: null,
  agent_grace_deadline: null,
  priority_deadline: null,
} as const;

/** Whole seconds from one moment to another, never negative (clocks of instances may differ a little). */
export function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000));
}

/** The columns that a decided move changes. `ringSeconds` is how long an agent has to start the call. */
export function effectsOf(
  call: Call,
  move: Move,
  change: Change,
  now: Date,
  ringSeconds: number,
): Partial<Call> {
  const common = { status: change.to, version: call.version + 1, updated_at: now };
  if (change.to === 'assigned') return { ...common, ...assigned(call, move, now, ringSeconds) };
  if (change.to === 'active') return { ...common, ...NO_DEADLINES, started_at: call.started_at ?? now };
  if (isFinal(change.to)) return { ...common, ...ended(call, move, change, now) };
  return common;
}

function assigned(call: Call, { assignee }: Move, now: Date, ringSeconds: number): Partial<Call> {
  if (!assignee) throw new Error('assign needs an assignee');
  return {
    ...NO_DEADLINES,
    user_id: assignee.id,
    user_name: assignee.name,
    assigned_at: now,
    // A new agent has not been in the call, so they cannot be missing from it.
    agent_connected_at: null,
    wait_time: call.wait_time ?? secondsBetween(call.inserted_at, now),
    ring_deadline: new Date(now.getTime() + ringSeconds * 1000),
  };
}

function ended(call: Call, { notes }: Move, change: Change, now: Date): Partial<Call> {
  const completed = change.to === 'completed';
  return {
    ...NO_DEADLINES,
    ended_at: now,
    completed_at: completed ? now : null,
    end_reason: change.end_reason,
    duration: completed && call.started_at ? secondsBetween(call.started_at, now) : null,
    wait_time: call.wait_time ?? secondsBetween(call.inserted_at, now),
    ...(notes ? { notes } : {}),
  };
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

/** What the call's earliest deadline that has passed asks for, if one has. */
export function dueTrigger(call: Pick<Call, DeadlineColumn | 'status'>, now: Date): Trigger | undefined {
  return DEADLINES.filter((deadline) => deadline.in === call.status)
    .map((deadline) => ({ ...deadline, at: call[deadline.column] }))
    .filter((deadline) => deadline.at !== null && deadline.at <= now)
    .sort((one, other) => Number(one.at) - Number(other.at))[0]?.trigger;
}

/** Whether the time has come for a waiting call to go before the others. */
export function gainsPriority(call: Pick<Call, 'status' | 'priority_deadline'>, now: Date): boolean {
  return call.status === 'queued' && call.priority_deadline !== null && call.priority_deadline <= now;
}
