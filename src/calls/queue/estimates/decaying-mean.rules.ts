/** A mean of observations, `sum ÷ weight`. A rate has events as its sum and the time they were counted in as its weight. */
export interface Observations {
  sum: number;
  weight: number;
}

/** Observations whose weight halves with age. */
export interface DecayingMean extends Observations {
  /** The time for which `sum` and `weight` hold, in seconds. */
  at: number;
}

export const NO_OBSERVATIONS: Readonly<DecayingMean> = { sum: 0, weight: 0, at: 0 };

/** @param at in seconds; an observation that is older than the mean counts as if it were as new */
export function observe(
  mean: DecayingMean,
  { sum, weight }: Observations,
  at: number,
  halfLife: number,
): DecayingMean {
  const left = 0.5 ** (Math.max(0, at - mean.at) / halfLife);
  return { sum: mean.sum * left + sum, weight: mean.weight * left + weight, at: Math.max(at, mean.at) };
}

/**
 * The mean, drawn to a prior while there are few observations.
 * @param priorWeight the weight of observations that count as much as the prior
 */
export function shrink({ sum, weight }: Observations, prior: number, priorWeight: number): number {
  return (sum + priorWeight * prior) / (weight + priorWeight);
}
