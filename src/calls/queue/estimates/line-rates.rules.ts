import { NO_OBSERVATIONS, type Observations, shrink } from './decaying-mean.rules';

const DAY = 86_400;

/**
 * In which time the weight of an observation halves, in seconds. The department's mean follows a change within days; an hour
 * of the week comes once a week, so it needs weeks.
 */
export const HALF_LIVES = {
  handleTime: 7 * DAY,
  handleTimeOfHour: 28 * DAY,
  abandonment: 28 * DAY,
  offerLatency: 7 * DAY,
} as const;

/** Seconds assumed for a department without calls, and how many calls count as much. */
const PRIOR_HANDLE_TIME = 180;
const PRIOR_CALLS = 5;
/** How many calls of an hour of the week count as much as the department's mean. */
const PRIOR_CALLS_OF_HOUR = 200;
/** θ₀: customers leave after half an hour on average. */
const PRIOR_ABANDONMENT_RATE = 1 / 1800;
/** κ: the seconds waited that count as much as θ₀; 12 customers leave in them. */
const PRIOR_SECONDS_WAITED = 6 * 3600;
/** Seconds from an offer until the agent accepts it. */
const PRIOR_OFFER_LATENCY = 10;
const PRIOR_OFFERS = 5;

/**
 * Seconds, from the start of a call to the end of the wrap-up.
 * @param department the department's handle times @param hour those of the present hour of the week
 */
export function meanHandleTime(department: Observations, hour: Observations = NO_OBSERVATIONS): number {
  return shrink(hour, shrink(department, PRIOR_HANDLE_TIME, PRIOR_CALLS), PRIOR_CALLS_OF_HOUR);
}

/**
 * θ: at which rate one waiting customer leaves, per second.
 * @param waits a sum of 1 for each customer who left by their own choice, and the seconds that all customers waited. Waits
 *   that ended otherwise (answered, timed out, closed, callback) are censored: only their seconds count
 */
export function abandonmentRate(waits: Observations): number {
  return shrink(waits, PRIOR_ABANDONMENT_RATE, PRIOR_SECONDS_WAITED);
}

/**
 * Seconds until a call is answered if an agent is idle.
 * @param waits of the answered calls that joined while an agent was idle
 */
export function meanOfferLatency(waits: Observations): number {
  return shrink(waits, PRIOR_OFFER_LATENCY, PRIOR_OFFERS);
}
