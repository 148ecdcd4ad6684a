import { estimateOf, type LearnedWaits, type WaitEstimate } from './estimates/wait-estimate.rules';
import { spokenRange, type WaitRange } from './estimates/wait-range.rules';
import { estimateWait } from './queue.rules';

/** Reachable agents of a line who also serve the same other lines. */
export interface LineAgents {
  agents: number;
  /** The ids of these departments. */
  others: string[];
  /** The calls ahead in all of their lines; null if they serve this one alone. */
  ahead?: number | null;
}

/** Who serves a line. */
export interface LineRate {
  groups: LineAgents[];
  /** Active members of the department who are online or busy and have the skills that the call requires. */
  online_agents: number;
  /** Those of them who are available and have no offer. */
  idle_agents: number;
  /**
   * Mean duration of the department's recent completed calls, in seconds; null without any, and if an agent is reachable:
   * then the estimate does not depend on it.
   */
  mean_handle_time: number | null;
}

/** The rate of a department that does not exist. */
export const NO_RATE: LineRate = { groups: [], online_agents: 0, idle_agents: 0, mean_handle_time: null };

/** A waiting call in its line. */
export interface EstimatedCall {
  /** 1 is next. */
  position: number;
  /** Calls ahead that are being offered to an agent. */
  offered: number;
  /** Seconds since the call joined. */
  waited: number;
  /** Seconds until the call ceases to wait; Infinity without a limit. */
  limit: number;
}

/** What customers are shown of their wait. */
export interface CustomerEstimate {
  /** Seconds. */
  estimated_wait_time: number;
  /** Seconds, rounded to what one would say; null where nothing can be said. */
  estimated_wait_range: WaitRange | null;
  /** False while no agent is reachable: estimated_wait_time then follows from the position alone, and says nothing. */
  has_estimate: boolean;
}

/** That of a call that does not wait. */
export const NO_WAIT: CustomerEstimate = {
  estimated_wait_time: 0,
  estimated_wait_range: null,
  has_estimate: false,
};

/** @returns null if no agent is reachable */
export function estimateInLine(
  { position, offered, waited, limit }: EstimatedCall,
  { groups, idle_agents }: LineRate,
  learned: LearnedWaits,
): WaitEstimate | null {
  const ahead = position - 1;
  const agents = groups.map((group) => ({ agents: group.agents, aheadInAll: group.ahead ?? ahead }));
  return estimateOf({ ahead, offered, idleAgents: idle_agents, agents, waited, limit }, learned);
}

/** @param estimate of estimateInLine: without it, the wait is estimated by the position alone */
export function toldOf(estimate: WaitEstimate | null, position: number, rate: LineRate): CustomerEstimate {
  if (estimate === null)
    return {
      estimated_wait_time: estimateWait(position, rate),
      estimated_wait_range: null,
      has_estimate: false,
    };
  return {
    estimated_wait_time: Math.ceil(estimate.seconds),
    estimated_wait_range: estimate.range && spokenRange(estimate.range),
    has_estimate: true,
  };
}

/** What the customer of a closed department is shown: when it opens, not a wait. */
export const withoutEstimate = <Place extends CustomerEstimate>(place: Place): Place => ({
  ...place,
  estimated_wait_range: null,
  has_estimate: false,
});

export const customerEstimate = (
  call: EstimatedCall,
  rate: LineRate,
  learned: LearnedWaits,
): CustomerEstimate => toldOf(estimateInLine(call, rate, learned), call.position, rate);

/** Seconds, not negative: the clocks of instances may differ slightly. */
export const secondsSince = (since: Date | string, now: Date): number =>
  Math.max(0, (now.getTime() - new Date(since).getTime()) / 1000);

/** As secondsSince. @param until null for never */
export const secondsUntil = (until: Date | string | null, now: Date): number =>
  until === null ? Infinity : Math.max(0, (new Date(until).getTime() - now.getTime()) / 1000);
