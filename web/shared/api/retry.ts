import { retryDelay } from '../socket-retry';
import { ApiError } from './api-error';

/** How many internal errors are retried. The user is told after the last one, because the cause may be permanent. */
const MAX_INTERNAL_ERRORS = 3;

const PASSING_STATUSES = new Set([0, 408, 425, 429, 502, 503, 504]);

/** Whether the same request may succeed later. @param failures how often it has failed, this time included */
export function isPassing({ status, code }: ApiError, failures: number): boolean {
  if (PASSING_STATUSES.has(status)) return true;
  return (status >= 500 || code === 'internal_error') && failures <= MAX_INTERNAL_ERRORS;
}

/** @returns milliseconds before the next attempt: the time that the service asks for, and a random one on top of it */
export function delayBefore(problem: ApiError, failures: number, random?: () => number): number {
  return (problem.retry_after ?? 0) * 1000 + retryDelay(failures - 1, random);
}

/** A request that is repeated until it is answered. */
export interface Retry {
  problem: ApiError;
  /** Device time of the next attempt, in milliseconds. */
  at: number;
}

export interface RetryOptions {
  /** Called before each pause. */
  onRetry?: (retry: Retry) => void;
  /** Ends the attempts, with a rejection. */
  signal?: AbortSignal;
  /** A failure that is known already: the first attempt waits, too. */
  after?: ApiError | null;
  /** Waits for so many milliseconds, until the network is back, or until the signal is aborted. */
  pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  now?: () => number;
}

/** Repeats a request until it is answered. @throws ApiError when repeating cannot help */
export async function retry<Result>(
  request: () => Promise<Result>,
  { onRetry, signal, after, pause, now = Date.now }: RetryOptions,
): Promise<Result> {
  for (let failures = 1; ; failures++) {
    try {
      if (after && failures === 1) throw after;
      return await request();
    } catch (error) {
      const problem = asApiError(error);
      if (!isPassing(problem, failures)) throw problem;
      const ms = delayBefore(problem, failures);
      onRetry?.({ problem, at: now() + ms });
      await pause(ms, signal);
      signal?.throwIfAborted();
    }
  }
}

/** What a request threw, in the one shape that the pages show. */
export const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError({ code: codeOf(error), detail: '' });

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'network';
