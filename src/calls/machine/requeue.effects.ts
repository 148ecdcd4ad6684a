import type { Call } from '../call.entity';
import type { TransitionRequest } from './call.machine';
import type { CallChanges } from './call-writer';

/** The deadlines of a waiting call that an assignment suspends, since an assigned call may return to the queue. */
type SuspendedDeadlines = Pick<Call, 'suspended_wait_deadline' | 'suspended_priority_deadline'>;

/**
 * The deadlines that a call keeps while it is assigned. A hand-over moves that of the wait by the time that the call was
 * assigned to the previous agent, as `requeued` does for the last one.
 */
export function suspendedDeadlines(call: Call, now: Date): SuspendedDeadlines {
  if (call.status === 'queued') {
    return {
      suspended_wait_deadline: call.wait_deadline,
      suspended_priority_deadline: call.priority_deadline,
    };
  }
  return {
    suspended_wait_deadline: movedByAssignment(call, now),
    suspended_priority_deadline: call.suspended_priority_deadline,
  };
}

/**
 * The changes that return an assigned call to its place in the queue: it has no agent, and waits on for as long as it could
 * have when it was assigned. Its rank, its number and its priority have not changed meanwhile.
 * @throws Error for a transition that is not requested as a requeue
 */
export function requeued(call: Call, { requeue }: TransitionRequest, now: Date): CallChanges {
  if (!requeue) throw new Error('requeue needs its cause and the absence of the customer');
  return {
    user_id: null,
    user_name: null,
    assigned_at: null,
    agent_connected_at: null,
    // The wait ended with the last assignment before the first start, which a transferred call has had.
    wait_time: call.started_at ? call.wait_time : null,
    wait_deadline: movedByAssignment(call, now),
    priority_deadline: call.suspended_priority_deadline,
    ...requeue.absence,
    unanswered_count: call.unanswered_count + (requeue.is_unanswered ? 1 : 0),
  };
}

/** The deadline of the wait without the time since the assignment. Instances' clocks may differ: it is never moved back. */
function movedByAssignment({ suspended_wait_deadline, assigned_at }: Call, now: Date): Date | null {
  if (!suspended_wait_deadline || !assigned_at) return suspended_wait_deadline;
  return new Date(suspended_wait_deadline.getTime() + Math.max(0, now.getTime() - assigned_at.getTime()));
}

/**
 * Whether a call that its agent did not start in time returns to the queue; otherwise it is missed.
 * @param maxUnanswered the department's max_unanswered: the number of unanswered assignments that makes a call missed
 */
export function returnsToQueue(
  { unanswered_count, suspended_wait_deadline }: Pick<Call, 'unanswered_count' | 'suspended_wait_deadline'>,
  maxUnanswered: number,
): boolean {
  // A call that an instance of the previous release assigned has no deadline with which it could wait on.
  return suspended_wait_deadline !== null && unanswered_count + 1 < maxUnanswered;
}
