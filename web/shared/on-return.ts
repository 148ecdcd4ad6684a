import type { Unsubscribe } from './emitter';

/** Calls `listener` when the network or the page is back: phones suspend pages, and no timer of theirs runs meanwhile. */
export function onReturn(listener: () => void): Unsubscribe {
  const onVisible = () => {
    if (document.visibilityState === 'visible') listener();
  };
  addEventListener('online', listener);
  addEventListener('pageshow', listener);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('pageshow', listener);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
