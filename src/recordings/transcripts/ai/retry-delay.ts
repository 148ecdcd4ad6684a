/** Attempts at one result, in all. */
export const MAX_ATTEMPTS = 10;

const MAX_DELAY_SECONDS = 3600;

/**
 * Seconds to wait after the given number of attempts: 1, 4, 16 … up to an hour, so that ten attempts take three to
 * four hours.
 * @param retryAfter seconds that the server asks for, respected up to an hour; 0 if it does not
 */
export function retryDelaySeconds(attempts: number, retryAfter: number): number {
  return Math.min(Math.max(4 ** (attempts - 1), retryAfter), MAX_DELAY_SECONDS);
}
