import { useEffect } from 'react';
import { useConsole } from '../../state/console-context';
import { useNow } from '../../ui/now';
import { useSignalValue } from '../../ui/use-signal-value';

/** A service that was quiet for this long is asked whether it is still there. */
const ASK_MS = 20_000;
const CHECK_MS = 5_000;
const STALE_MS = 50_000;

/** @returns since when nothing was heard, in milliseconds since 1970; null while the news is fresh */
export function useStaleSince(): number | null {
  const { isConnected, queue, socket } = useConsole();
  const connected = useSignalValue(isConnected);
  const newsAt = useSignalValue(queue.newsAt);
  const now = useNow();
  useEffect(() => {
    const ask = () => {
      if (Date.now() - (queue.newsAt.value ?? 0) >= ASK_MS) socket.resync();
    };
    const timer = setInterval(ask, CHECK_MS);
    return () => clearInterval(timer);
  }, [queue, socket]);
  if (newsAt === null) return null;
  return !connected || now - newsAt > STALE_MS ? newsAt : null;
}
