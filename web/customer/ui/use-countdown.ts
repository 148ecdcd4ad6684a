import { useEffect, useState } from 'preact/hooks';

/** The time, renewed every second while it is needed. */
export function useNow(isNeeded = true): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isNeeded) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isNeeded]);
  return now;
}

/** @returns whole seconds until the moment, at least 0 */
export function useSecondsUntil(moment: number | null): number {
  const now = useNow(moment !== null);
  return moment === null ? 0 : Math.max(0, Math.ceil((moment - now) / 1000));
}
