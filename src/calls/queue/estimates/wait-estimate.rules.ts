import { type AgentGroup, agentsOfLine } from './agent-share.rules';
import { type Estimates, type EstimatorName } from './estimator-choice.machine';
import { waitBehind } from './queue-length.rules';
import { rangeOf, type WaitRange, type WaitRatios } from './wait-range.rules';

/** What a department has learned. It changes slowly and can be cached. */
export interface LearnedWaits {
  /** Seconds; see meanHandleTime. */
  handleTime: number;
  /** Per second waited; see abandonmentRate. */
  abandonmentRate: number;
  /** Seconds; see meanOfferLatency. */
  offerLatency: number;
  /** Seconds; see DelayHistory. */
  lastWait: number | null;
  meanWait: number | null;
  inUse: EstimatorName;
  ratios: WaitRatios;
}

/** A waiting call and the agents who serve its line. */
export interface CallInLine {
  /** Calls before this one in its line, those included that are being offered to an agent. */
  ahead: number;
  /** How many of them are being offered to an agent. */
  offered: number;
  /** Available agents of the line without an offer. */
  idleAgents: number;
  /** All reachable agents of the line. */
  agents: readonly AgentGroup[];
  /** Seconds since the call joined. */
  waited: number;
  /** Seconds until the call ceases to wait, at most max_wait_time; Infinity without a limit. */
  limit: number;
}

export interface WaitEstimate {
  /** Of the estimator in use; seconds, not rounded. */
  seconds: number;
  /** Of all estimators. */
  estimates: Estimates;
  /** Whether an agent is idle, so that the call waits only for their answer. */
  idle: boolean;
  /** Not rounded; null where nothing can be said. */
  range: WaitRange | null;
}

/** @returns null if no agent is reachable */
export function estimateOf(call: CallInLine, learned: LearnedWaits): WaitEstimate | null {
  const agents = agentsOfLine(call.ahead, call.agents);
  const serviceRate = 1 / Math.max(1, learned.handleTime);
  const behind = waitBehind(call.ahead, { agents, serviceRate, abandonmentRate: learned.abandonmentRate });
  if (behind === null) return null;
  const idle = call.idleAgents > call.ahead - call.offered;
  const limited = (wait: number) => Math.min(call.limit, idle ? learned.offerLatency : wait);
  // The waits of others say how long a call waits from its join, and nothing of one that has waited longer than they did.
  const remaining = (wait: number | null) => {
    if (wait === null) return null;
    return limited(wait < call.waited ? behind : Math.max(learned.offerLatency, wait - call.waited));
  };
  const estimates = {
    queue_length: limited(behind),
    last_wait: remaining(learned.lastWait),
    mean_wait: remaining(learned.meanWait),
  };
  const seconds = estimates[learned.inUse] ?? estimates.queue_length;
  return { seconds, estimates, idle, range: rangeOf(seconds, idle, learned.ratios, call.limit) };
}
