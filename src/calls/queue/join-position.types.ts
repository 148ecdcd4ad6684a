import type { ResolvedLink } from '../../access-links/access-link-resolver';
import type { Call } from '../call.entity';
import type { CustomerEstimate, LineRate } from './customer-estimate.rules';
import type { LearnedWaits, WaitEstimate } from './estimates/wait-estimate.rules';
import type { QueuePosition } from './queue-position.rules';

/** The department that a call enters, and the link whose skills it will require, if it comes through one. */
export type JoinLink = Pick<ResolvedLink, 'tenant_id' | 'department_id'> &
  Partial<Pick<ResolvedLink, 'link_id' | 'requires_skills'>>;

/** A department's queue as a customer who joins now through a link would find it. */
export interface DepartmentQueue extends CustomerEstimate {
  queue_size: number;
  /** Agents who can serve the customer. */
  online_agents: number;
}

/** A queue that no other customer joins until the transaction ends. */
export interface LockedQueue {
  /** The department's own waiting calls, which count for its max_queue_size. */
  queue_size: number;
  /** Calls of other departments that overflowed to this one. */
  overflow_size: number;
  rate: LineRate;
  /** Its calls that are being offered to an agent. */
  offered: number;
  learned: LearnedWaits;
  /** The highest rank of the department's waiting calls without an appointment whose time has come; null without any. */
  last_rank_at: Date | null;
  /** The highest rank of the calls that overflowed to the department; null without any. */
  last_overflow_rank_at: Date | null;
}

/** What the position of a call depends on that is about to join, so that its queue_number will be the highest. */
export type JoiningCall = Pick<Call, 'tenant_id' | 'department_id' | 'priority_since' | 'wait_deadline'> & {
  rank_at: Date;
  inserted_at: Date;
};

/** The position of a call that joins. */
export interface JoinPosition extends Pick<
  QueuePosition,
  'position' | 'queue_size' | keyof CustomerEstimate
> {
  /** Null if no agent is reachable. */
  estimate: WaitEstimate | null;
}
