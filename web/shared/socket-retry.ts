const FIRST_DELAY_MS = 1000;
/** Less would be no pause. */
const MIN_DELAY_MS = 200;
const MAX_DELAY_MS = 30_000;

/**
 * Random, so that pages that were refused together do not come back together.
 * @returns milliseconds before the attempt after `refusals` refused ones: anything up to a second, and twice as much each time
 */
export function retryDelay(refusals: number, random: () => number = Math.random): number {
  return MIN_DELAY_MS + (Math.min(FIRST_DELAY_MS * 2 ** refusals, MAX_DELAY_MS) - MIN_DELAY_MS) * random();
}

/** @returns something between half of `ms` and all of it, for attempts with a regular pause */
export const spread = (ms: number, random: () => number = Math.random): number => ms * (1 - random() / 2);
