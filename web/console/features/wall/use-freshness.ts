import { useEffect, useState } from 'react';
import { useConsole } from '../../state/console-context';
import { useNow } from '../../ui/now';
import { useSignalValue } from '../../ui/use-signal-value';
import { ASK_AFTER_MS, staleSince, unansweredSince } from './freshness.rules';

const CHECK_INTERVAL_MS = 5_000;

/** @returns since when nothing was heard, in milliseconds since 1970; null while the news is fresh */
export function useStaleSince(): number | null {
  const { isConnected, queue, socket } = useConsole();
  const connected = useSignalValue(isConnected);
  const newsAt = useSignalValue(queue.newsAt);
  const [askedAt, setAskedAt] = useState<number | null>(null);
  const now = useNow();
  useEffect(() => {
    const ask = () => {
      const at = Date.now();
      const news = queue.newsAt.value;
      if (at - (news ?? 0) < ASK_AFTER_MS) return;
      setAskedAt((before) => unansweredSince({ newsAt: news, askedAt: before }) ?? at);
      socket.resync();
    };
    // The news may be old because nobody asked while another page was shown.
    ask();
    const timer = setInterval(ask, CHECK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [queue, socket]);
  return staleSince({ isConnected: connected, newsAt, askedAt, now });
}
