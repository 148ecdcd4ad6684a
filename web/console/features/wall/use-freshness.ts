import { useEffect } from 'react';
import { useConsole } from '../../state/console-context';
import { useNow } from '../../ui/now';
import { useSignalValue } from '../../ui/use-signal-value';
import { ASK_AFTER_MS, staleSince } from './freshness.rules';

const CHECK_INTERVAL_MS = 5_000;

/** @returns since when nothing was heard, in milliseconds since 1970; null while the news is fresh */
export function useStaleSince(): number | null {
  const { isConnected, queue, socket } = useConsole();
  const connected = useSignalValue(isConnected);
  const newsAt = useSignalValue(queue.newsAt);
  const now = useNow();
  useEffect(() => {
    const ask = () => {
      if (Date.now() - (queue.newsAt.value ?? 0) >= ASK_AFTER_MS) socket.resync();
    };
    const timer = setInterval(ask, CHECK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [queue, socket]);
  return staleSince({ isConnected: connected, newsAt, now });
}
