import { mayPlay } from './ring-tone-player';

const LOCK = 'vcq-offer-ring';
/** So long a tab that may make no sound has the turn before one that may can take it. */
const SILENT_TURN_MS = 1000;
/**
 * A tab whose turn comes later waits this long: when the offer was settled in the tab before, the service has not told this
 * one yet.
 */
const HANDOVER_MS = 700;
/** A turn that began sooner after its request was free. */
const AT_ONCE_MS = 50;

/**
 * Lets one tab of the browser ring, and the next one when it is closed. Without HTTPS there are no locks: then all of them do.
 * @param ring returns what stops it
 * @returns gives it up
 */
export function inOneTab(ring: () => () => void): () => void {
  if (!navigator.locks) return ring();
  const ended = new AbortController();
  const { signal } = ended;
  const isEnded = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const takeTurn = (isFirst: boolean): Promise<unknown> => {
    const askedAt = performance.now();
    return navigator.locks
      .request(LOCK, { signal }, async () => {
        if (performance.now() - askedAt > AT_ONCE_MS) await Promise.race([isEnded, pause(HANDOVER_MS)]);
        if (signal.aborted) return;
        const stop = ring();
        await (isFirst && !mayPlay() ? Promise.race([isEnded, pause(SILENT_TURN_MS)]) : isEnded);
        stop();
      })
      .then(() => signal.aborted || takeTurn(false));
  };
  // Given up before it was this tab's turn.
  takeTurn(true).catch(() => undefined);
  return () => ended.abort();
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
