/** Which estimator a department uses. Pure: no imports, no clock, no database. */

export const ESTIMATORS = ['queue_length', 'last_wait', 'mean_wait'] as const;

export type EstimatorName = (typeof ESTIMATORS)[number];

/** Seconds, by estimator; null if it could not say anything. */
export type Estimates = Readonly<Record<EstimatorName, number | null>>;

/**
 * What each estimator had said when an answered call joined, and how long the call waited, in seconds. Only calls that had to
 * wait for an agent are compared: all estimators say the same of a call that finds an agent idle.
 */
export interface AnsweredCall {
  estimates: Estimates;
  waited: number;
}

export interface EstimatorChoice {
  inUse: EstimatorName;
  /** The answered calls by which estimators are compared, the latest one at the end. */
  recent: readonly AnsweredCall[];
}

/** How many answered calls are compared. */
export const COMPARED_CALLS = 200;
/** Another estimator is used if its error is at most this share of the present one's. */
const MAX_ERROR_SHARE = 0.9;

export const INITIAL_CHOICE: EstimatorChoice = { inUse: 'queue_length', recent: [] };

/** Records an answered call. The estimators not in use run in the shadow of the one that is, and take over if better. */
export function recordAnswer({ inUse, recent }: EstimatorChoice, call: AnsweredCall): EstimatorChoice {
  const calls = [...recent.slice(1 - COMPARED_CALLS), call];
  return { inUse: chooseEstimator(inUse, calls), recent: calls };
}

/**
 * The estimator to use from now on. The margin keeps two that are equally good from taking turns.
 * @param recent the last COMPARED_CALLS answered calls; while there are fewer, none takes over
 */
export function chooseEstimator(inUse: EstimatorName, recent: readonly AnsweredCall[]): EstimatorName {
  if (recent.length < COMPARED_CALLS) return inUse;
  const present = totalError(inUse, recent);
  const better = ESTIMATORS.map((name) => ({ name, error: totalError(name, recent) }))
    .filter(({ error }) => error < present && error <= present * MAX_ERROR_SHARE)
    .toSorted((one, other) => one.error - other.error);
  return better[0]?.name ?? inUse;
}

/** The sum of absolute errors. An estimator that could not say anything of a call is not better than any other. */
function totalError(name: EstimatorName, calls: readonly AnsweredCall[]): number {
  return calls.reduce((sum, { estimates, waited }) => {
    const estimate = estimates[name];
    return sum + (estimate === null ? Infinity : Math.abs(estimate - waited));
  }, 0);
}
