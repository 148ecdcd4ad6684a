/** How often a result is tried for. */
export const MAX_ATTEMPTS = 10;

const LONGEST_SECONDS = 3600;

/**
 * Seconds until the next try, after so many: 1, 4, 16 … and an hour at the most, so that ten take three to four
 * hours. A provider that asks for more time gets it, up to an hour.
 */
export function retryDelay(attempts: number, retryAfter: number): number {
  return Math.min(Math.max(4 ** (attempts - 1), retryAfter), LONGEST_SECONDS);
}
