import { useEffect, useReducer } from 'preact/hooks';

/**
 * The time of this rendering, which is repeated every second while the time is needed. One kept from an earlier rendering
 * would be too old when the time begins to be needed: a countdown would begin with too many seconds.
 */
export function useNow(isNeeded = true): number {
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!isNeeded) return undefined;
    const timer = setInterval(renderAgain, 1000, undefined);
    return () => clearInterval(timer);
  }, [isNeeded]);
  return Date.now();
}

/** @returns whole seconds until the moment, at least 0 */
export function useSecondsUntil(moment: number | null): number {
  const now = useNow(moment !== null);
  return moment === null ? 0 : Math.max(0, Math.ceil((moment - now) / 1000));
}
