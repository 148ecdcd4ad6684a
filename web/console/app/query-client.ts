import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../shared/api/client';
import { asApiError, delayBefore } from '../../shared/api/retry';

const STALE_MS = 10_000;
const MAX_RETRIES = 2;

/** What the service refuses is not asked for again. */
const isPassing = (error: unknown) =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (failures, error) => failures < MAX_RETRIES && isPassing(error),
        retryDelay: (failures, error) => delayBefore(asApiError(error), failures + 1),
      },
    },
  });
}
