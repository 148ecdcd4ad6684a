import { useState } from 'preact/hooks';
import type { ApiError } from '../../shared/api/api-error';
import { asApiError } from '../../shared/api/retry';

/** Runs a request of a button: whether it is under way, and how it failed. */
export function useRequest() {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const run = async (request: () => Promise<void>) => {
    setBusy(true);
    setProblem(null);
    try {
      await request();
    } catch (error) {
      setProblem(asApiError(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, run: (request: () => Promise<void>) => void run(request) };
}
