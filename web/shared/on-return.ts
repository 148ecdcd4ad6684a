import type { Unsubscribe } from './emitter';

/** Calls `listener` when the network or the page is back: phones suspend pages, and no timer of theirs runs meanwhile. */
export function onReturn(listener: () => void): Unsubscribe {
  const onVisible = () => {
    if (document.visibilityState === 'visible') listener();
  };
  // It also follows the first load, when nothing is to be brought back.
  const onPageShow = (event: PageTransitionEvent) => {
    if (event.persisted) listener();
  };
  addEventListener('online', listener);
  addEventListener('pageshow', onPageShow);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('pageshow', onPageShow);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
