import type { Call } from '../call.entity';
import type { TransitionRequest } from './call.machine';
import type { CallChanges } from './call-writer';

/** Where the call was before the transfer, as the details of the call show it. */
const transferredFrom = ({ department_id, user_id }: Call, now: Date): CallChanges => ({
  transferred_from_department_id: department_id,
  transferred_from_user_id: user_id,
  transferred_at: now,
});

/**
 * The changes by which an active call waits in the queue of another department. It keeps its rank, its number and its
 * priority, so it is ahead of later joins, and the times of its first wait and its first start. A call that was started
 * before its appointment gets its priority at the appointed time, or at once if that has passed. It needs no skills there,
 * because its skills were required by the first department, is no longer reserved for an agent, and has left the line to
 * which it may have overflowed.
 * @throws Error for a transition that is not requested as a transfer
 */
export function transferred(call: Call, { transfer }: TransitionRequest, now: Date): CallChanges {
  if (!transfer) throw new Error('transfer needs the department and the absence of the customer');
  const { department, absence } = transfer;
  return {
    department_id: department.id,
    department_name: department.name,
    user_id: null,
    user_name: null,
    assigned_at: null,
    agent_connected_at: null,
    reserved_user_id: null,
    overflow_department_id: null,
    required_skills: [],
    wait_deadline: new Date(now.getTime() + department.max_wait_time * 1000),
    priority_deadline: call.suspended_priority_deadline,
    ...absence,
    ...transferredFrom(call, now),
  };
}

/**
 * The changes by which another agent takes over an active call. The grace period of a customer who is missing continues;
 * that of the former agent ends, because the call no longer depends on them.
 * @throws Error without the agent
 */
export function takenOver(call: Call, { assignee }: TransitionRequest, now: Date): CallChanges {
  if (!assignee) throw new Error('take_over needs an assignee');
  return {
    user_id: assignee.id,
    user_name: assignee.name,
    assigned_at: now,
    agent_connected_at: null,
    agent_grace_deadline: null,
    ...transferredFrom(call, now),
  };
}
