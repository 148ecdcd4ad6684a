import type { Estimates } from '../estimates/estimator-choice.machine';
import type { WaitEstimate } from '../estimates/wait-estimate.rules';

/** The estimates of a call when it joined, by which its department learns. Seconds, not rounded. */
export interface JoinEstimate {
  queue_length: number;
  last_wait: number | null;
  mean_wait: number | null;
  /** Whether an agent was idle. */
  idle: boolean;
  /** The upper end of the range; null without one. */
  high: number | null;
}

export function joinEstimateOf({ estimates, idle, range }: WaitEstimate): JoinEstimate {
  const { queue_length, last_wait, mean_wait } = estimates;
  return { queue_length: queue_length ?? 0, last_wait, mean_wait, idle, high: range?.high ?? null };
}

export const estimatesOf = ({ queue_length, last_wait, mean_wait }: JoinEstimate): Estimates => ({
  queue_length,
  last_wait,
  mean_wait,
});
