/** An answered call: what was said when it joined, and its wait. Seconds. */
export interface ScoredCall {
  estimated: number;
  /** The unrounded upper end of the range; null if none was given. */
  high: number | null;
  waited: number;
}

export interface EstimateScores {
  /** Answered calls. */
  calls: number;
  /** Mean absolute error in seconds; null without calls, as the others. */
  mae: number | null;
  /** Mean of estimated − actual in seconds; negative if customers wait longer than estimated. */
  bias: number | null;
  /** Share of the calls with a range that waited no longer than its upper end. */
  coverage: number | null;
}

export function scoresOf(calls: readonly ScoredCall[]): EstimateScores {
  const errors = calls.map(({ estimated, waited }) => estimated - waited);
  const covered = calls.flatMap(({ high, waited }) => (high === null ? [] : [waited <= high ? 1 : 0]));
  return {
    calls: calls.length,
    mae: mean(errors.map(Math.abs)),
    bias: mean(errors),
    coverage: mean(covered),
  };
}

const mean = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
