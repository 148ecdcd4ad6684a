import type { Response } from 'express';

/** A counter of a policy: `limit` requests in `ttl` milliseconds. */
export interface Counter {
  name: string;
  limit: number;
  ttl: number;
}

/** The requests that remain in a counter's window, and the seconds until the next window. */
export interface CounterState {
  name: string;
  limit: number;
  remaining: number;
  reset: number;
}

/** Response headers about rate limits: those of the IETF draft and the three older ones. */
export const RATE_LIMIT_HEADERS = [
  'RateLimit-Policy',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
] as const;

/**
 * The value of RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers), which is the same for every request.
 */
export function rateLimitPolicyField(counters: Counter[]): string {
  return counters.map(({ name, limit, ttl }) => `"${name}";q=${limit};w=${ttl / 1000}`).join(', ');
}

/** The value of RateLimit (draft-ietf-httpapi-ratelimit-headers). */
export function rateLimitField(counts: CounterState[]): string {
  return counts.map(({ name, remaining, reset }) => `"${name}";r=${remaining};t=${reset}`).join(', ');
}

/** The counter that will block first: fewest requests left, then the latest reset. */
export function tightestCounter([first, ...others]: [CounterState, ...CounterState[]]): CounterState {
  return others.reduce((nearest, count) => {
    const difference = count.remaining - nearest.remaining;
    return difference < 0 || (difference === 0 && count.reset > nearest.reset) ? count : nearest;
  }, first);
}

/** Sets the headers. The three older ones can describe one counter only: the tightest. */
export function setRateLimitHeaders(
  response: Response,
  policy: string,
  counts: [CounterState, ...CounterState[]],
): void {
  const nearest = tightestCounter(counts);
  response.setHeader('RateLimit-Policy', policy);
  response.setHeader('RateLimit', rateLimitField(counts));
  response.setHeader('RateLimit-Limit', nearest.limit);
  response.setHeader('RateLimit-Remaining', nearest.remaining);
  response.setHeader('RateLimit-Reset', nearest.reset);
}
