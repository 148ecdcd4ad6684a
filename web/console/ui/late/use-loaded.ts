import { type ComponentType, useEffect, useState } from 'react';
import { spread } from '../../../shared/socket-retry';

/** After the page, so that it does not delay it. */
const PRELOAD_MS = 2000;
const RETRY_MS = 3000;

export type Loader<Props> = () => Promise<{ default: ComponentType<Props> }>;

interface Loaded<Props> {
  /** Null until it is loaded, which is tried again and again. */
  component: ComponentType<Props> | null;
  /** Whether it could not be loaded so far: there is no network, or another version was deployed. */
  isMissing: boolean;
}

/**
 * A component that is loaded soon after the page, since it is needed when there may be no network or another version: a
 * component of `lazy` that cannot be loaded would take the whole console away, with the call in it.
 * @param isNeeded loads it at once
 */
export function useLoaded<Props>(load: Loader<Props>, isNeeded: boolean): Loaded<Props> {
  const [loaded, setLoaded] = useState<Loaded<Props>>({ component: null, isMissing: false });
  const isLoaded = loaded.component !== null;
  useEffect(() => {
    if (isLoaded) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const show = (next: Loaded<Props>) => {
      if (!isOver) setLoaded(next);
    };
    const attempt = () => {
      load().then(
        ({ default: component }) => show({ component, isMissing: false }),
        () => {
          show({ component: null, isMissing: true });
          if (!isOver) timer = setTimeout(attempt, spread(RETRY_MS));
        },
      );
    };
    timer = setTimeout(attempt, isNeeded ? 0 : PRELOAD_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [load, isNeeded, isLoaded]);
  return loaded;
}
