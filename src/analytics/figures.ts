/** Sums over calls. Unlike averages they can be added up across groups; averages are computed from them at the end. */
export interface CallSums {
  total_calls: number;
  queued_calls: number;
  assigned_calls: number;
  active_calls: number;
  completed_calls: number;
  missed_calls: number;
  cancelled_calls: number;
  abandoned_calls: number;
  /** Calls whose customers cancelled them after the service level. */
  left_calls: number;
  /** Calls that ended because a connection was lost. */
  dropped_calls: number;
  /** Calls that were started, whatever followed. */
  answered_calls: number;
  answered_in_time: number;
  /** Calls that were abandoned or left after the service level, without having been answered. */
  abandoned_late: number;
  /** Seconds that answered calls waited in total. */
  answer_wait: number;
  /** Answered calls whose customers were shown an estimate. */
  told_calls: number;
  /** Seconds by which the waits of these differed from it, in total. */
  wait_estimate_error: number;
  longest_wait_time: number | null;
  calls_with_duration: number;
  /** Seconds from start to end in total. */
  duration: number;
  /** Answered calls that have ended. */
  handled_calls: number;
  /** Seconds that agents spent on them in total: their parts with the wrap-up. */
  handle_time: number;
  /** Calls with a duration that ended before parts were recorded. */
  calls_without_parts: number;
  /** Seconds from start to end of these in total. */
  duration_without_parts: number;
  rating_1: number;
  rating_2: number;
  rating_3: number;
  rating_4: number;
  rating_5: number;
}

export const NO_CALLS: CallSums = {
  total_calls: 0,
  queued_calls: 0,
  assigned_calls: 0,
  active_calls: 0,
  completed_calls: 0,
  missed_calls: 0,
  cancelled_calls: 0,
  abandoned_calls: 0,
  left_calls: 0,
  dropped_calls: 0,
  answered_calls: 0,
  answered_in_time: 0,
  abandoned_late: 0,
  answer_wait: 0,
  told_calls: 0,
  wait_estimate_error: 0,
  longest_wait_time: null,
  calls_with_duration: 0,
  duration: 0,
  handled_calls: 0,
  handle_time: 0,
  calls_without_parts: 0,
  duration_without_parts: 0,
  rating_1: 0,
  rating_2: 0,
  rating_3: 0,
  rating_4: 0,
  rating_5: 0,
};

export type Ratings = Record<1 | 2 | 3 | 4 | 5, number>;

/** Contact centre metrics; docs/metrics.md has their formulas. */
export interface CallFigures {
  total_calls: number;
  queued_calls: number;
  assigned_calls: number;
  active_calls: number;
  completed_calls: number;
  missed_calls: number;
  cancelled_calls: number;
  abandoned_calls: number;
  left_calls: number;
  dropped_calls: number;
  answered_calls: number;
  average_wait_time: number | null;
  longest_wait_time: number | null;
  wait_estimate_error: number | null;
  average_duration: number | null;
  average_handle_time: number | null;
  service_level: number | null;
  abandonment_rate: number | null;
  average_rating: number | null;
  ratings: Ratings;
}

/** Computes the figures: seconds with one decimal, ratios with four, ratings with two; null instead of a division by 0. */
export function callFigures(sums: CallSums): CallFigures {
  const { total_calls, queued_calls, assigned_calls, active_calls, completed_calls } = sums;
  const { missed_calls, cancelled_calls, abandoned_calls, left_calls, dropped_calls } = sums;
  const { answered_calls, longest_wait_time } = sums;
  const ratings = ratingsOf(sums);
  const stars = Object.entries(ratings).reduce((sum, [value, count]) => sum + Number(value) * count, 0);
  const rated = Object.values(ratings).reduce((sum, count) => sum + count, 0);
  return {
    total_calls,
    queued_calls,
    assigned_calls,
    active_calls,
    completed_calls,
    missed_calls,
    cancelled_calls,
    abandoned_calls,
    left_calls,
    dropped_calls,
    answered_calls,
    average_wait_time: quotient(sums.answer_wait, answered_calls, 1),
    longest_wait_time,
    wait_estimate_error: quotient(sums.wait_estimate_error, sums.told_calls, 1),
    average_duration: quotient(sums.duration, sums.calls_with_duration, 1),
    average_handle_time: quotient(sums.handle_time, sums.handled_calls, 1),
    service_level: quotient(sums.answered_in_time, answered_calls + sums.abandoned_late, 4),
    abandonment_rate: quotient(abandoned_calls + left_calls, total_calls, 4),
    average_rating: quotient(stars, rated, 2),
    ratings,
  };
}

/** Divides and rounds to `digits` decimals. @returns null if the divisor is 0 */
export function quotient(dividend: number, divisor: number, digits: number): number | null {
  if (divisor === 0) return null;
  const scale = 10 ** digits;
  return Math.round((dividend / divisor) * scale) / scale;
}

const ratingsOf = (sums: CallSums): Ratings => ({
  1: sums.rating_1,
  2: sums.rating_2,
  3: sums.rating_3,
  4: sums.rating_4,
  5: sums.rating_5,
});
