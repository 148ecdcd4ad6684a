import type { Transition } from '../../calls/machine/transition-effects';

/** What transitions of calls mean for one agent. */
export interface AgentWork {
  user_id: string;
  /** Whether they got or started a call, which ends their wrap-up. */
  takes_call: boolean;
  /** How many calls became active with them. */
  started_calls: number;
  /** Their active calls that ended, or that they handed over, and the departments of these. */
  ended_call_ids: string[];
  ended_department_ids: string[];
}

type CallState = Transition['before'];

const isWithAgent = ({ status }: CallState): boolean => status === 'assigned' || status === 'active';

/** The agents whose state depends on the transitions: those who had an assigned or active call, or have one now. */
export function workOf(transitions: readonly Transition[]): AgentWork[] {
  const work = new Map<string, AgentWork>();
  const of = (userId: string): AgentWork => {
    const known = work.get(userId) ?? idle(userId);
    work.set(userId, known);
    return known;
  };
  for (const { before, after } of transitions) {
    if (before.user_id !== null && isWithAgent(before)) leave(of(before.user_id), before, after);
    if (after.user_id !== null && isWithAgent(after)) take(of(after.user_id), before, after);
  }
  return [...work.values()];
}

function leave(work: AgentWork, before: CallState, after: CallState): void {
  if (before.status !== 'active') return;
  if (after.status === 'active' && after.user_id === before.user_id) return;
  work.ended_call_ids.push(before.id);
  if (before.department_id !== null) work.ended_department_ids.push(before.department_id);
}

function take(work: AgentWork, before: CallState, after: CallState): void {
  if (after.status === before.status && after.user_id === before.user_id) return;
  work.takes_call = true;
  if (after.status === 'active') work.started_calls++;
}

const idle = (userId: string): AgentWork => ({
  user_id: userId,
  takes_call: false,
  started_calls: 0,
  ended_call_ids: [],
  ended_department_ids: [],
});
