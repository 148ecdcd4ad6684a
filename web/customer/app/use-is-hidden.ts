import { useEffect, useState } from 'preact/hooks';

const isHidden = (): boolean => document.visibilityState === 'hidden';

/** @returns whether the page is in a background tab, or its window is covered */
export function useIsHidden(): boolean {
  const [hidden, setHidden] = useState(isHidden);
  useEffect(() => {
    const update = () => setHidden(isHidden());
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  return hidden;
}
