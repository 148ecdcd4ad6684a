import { useEffect } from 'react';
import { useConsole } from '../../state/console-context';
import { useNow } from '../../ui/now';
import { useSignalValue } from '../../ui/use-signal-value';

/** A quiet service is asked this often whether it is still there. */
const ASK_MS = 20_000;
const STALE_MS = 50_000;

/** @returns since when nothing was heard, in milliseconds since 1970; null while the news is fresh */
export function useStaleSince(): number | null {
  const { isConnected, queue, socket } = useConsole();
  const connected = useSignalValue(isConnected);
  const newsAt = useSignalValue(queue.newsAt);
  const now = useNow();
  useEffect(() => {
    const timer = setInterval(() => socket.resync(), ASK_MS);
    return () => clearInterval(timer);
  }, [socket]);
  if (newsAt === null) return null;
  return !connected || now - newsAt > STALE_MS ? newsAt : null;
}
