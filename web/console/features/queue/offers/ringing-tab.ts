import { mayPlay } from './ring-tone-player';

const LOCK = 'vcq-offer-ring';
/** A tab that may make no sound lets the others go first. */
const SILENT_TAB_DELAY_MS = 400;

/**
 * Lets one tab of the browser ring, and the next one when it is closed. Without HTTPS there are no locks: then all of them do.
 * @param ring returns what stops it
 * @returns gives it up
 */
export function inOneTab(ring: () => () => void): () => void {
  if (!navigator.locks) return ring();
  const ended = new AbortController();
  const isEnded = new Promise<void>((resolve) => ended.signal.addEventListener('abort', () => resolve()));
  const hold = () => {
    navigator.locks
      .request(LOCK, { signal: ended.signal }, async () => {
        const stop = ring();
        await isEnded;
        stop();
      })
      // Given up before it was this tab's turn.
      .catch(() => undefined);
  };
  const timer = setTimeout(hold, mayPlay() ? 0 : SILENT_TAB_DELAY_MS);
  return () => {
    clearTimeout(timer);
    ended.abort();
  };
}
