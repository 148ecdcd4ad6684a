import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../../../shared/api/api-error';
import { asApiError, type Retry } from '../../../shared/api/retry';
import type { Attempts } from '../../service/line-entry';

/**
 * As useRequest, of a request that is repeated until it is answered: also when the next attempt is. `stop` ends the attempts, as
 * does another run, or the end of the screen.
 */
export function useAttempts() {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [retry, setRetry] = useState<Retry | null>(null);
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);
  const stop = () => {
    current.current?.abort();
    setBusy(false);
    setRetry(null);
  };
  const run = async (request: (attempts: Attempts) => Promise<void>) => {
    stop();
    const { signal } = (current.current = new AbortController());
    setBusy(true);
    setProblem(null);
    try {
      await request({ signal, onRetry: setRetry });
    } catch (error) {
      if (!signal.aborted) setProblem(asApiError(error));
    } finally {
      if (!signal.aborted) stop();
    }
  };
  return { isBusy, problem, retry, stop, run: (request: Parameters<typeof run>[0]) => void run(request) };
}
