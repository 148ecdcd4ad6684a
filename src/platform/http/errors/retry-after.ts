import { randomInt } from 'node:crypto';
import type { Response } from 'express';

const MIN_BUSY_SECONDS = 1;
const MAX_BUSY_SECONDS = 3;

/**
 * Seconds after which a client may repeat a request that was answered with 503. They are random, so that the clients that
 * were refused together do not come back together.
 */
export const busyRetryAfter = (): number => randomInt(MIN_BUSY_SECONDS, MAX_BUSY_SECONDS + 1);

/** Sets Retry-After: the time that an ApiError names, such as the rest of a rate limit's window. */
export function setRetryAfter(
  response: Response,
  { retry_after }: { retry_after?: number | undefined },
): void {
  if (retry_after !== undefined) response.setHeader('Retry-After', retry_after);
}
