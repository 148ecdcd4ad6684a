import { useEffect } from 'react';
import type { CallItem } from '../../../shared/socket';
import { useConsole } from '../../state/console-context';

/** However much happens, the service is asked at most this often. */
const PAUSE_MS = 3000;

/**
 * Calls the listener some time after the service has told something of a call that matters.
 * @param matters stable over renderings, as the listener
 */
export function useCallNews(matters: (call: CallItem) => boolean, onNews: () => unknown): void {
  const { socket } = useConsole();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let toldAt = Number.NEGATIVE_INFINITY;
    const tell = () => {
      timer = null;
      toldAt = Date.now();
      onNews();
    };
    const hear = (call: CallItem) => {
      if (timer !== null || !matters(call)) return;
      timer = setTimeout(tell, Math.max(0, toldAt + PAUSE_MS - Date.now()));
    };
    const ends = (['call_assigned', 'call_started', 'call_ended', 'call_updated'] as const).map((event) =>
      socket.on(event, hear),
    );
    return () => {
      for (const end of ends) end();
      if (timer !== null) clearTimeout(timer);
    };
  }, [socket, matters, onNews]);
}
