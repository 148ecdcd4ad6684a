import { type ComponentType, useEffect, useState } from 'react';

/** After the page, so that it does not delay it. */
const PRELOAD_MS = 2000;
const RETRY_MS = 3000;

/**
 * A component that is loaded soon after the page, since it is needed when there may be no network or a newer version: a
 * component of `lazy` that cannot be loaded would take the whole console away, with the call in it.
 * @param isNeeded loads it at once
 * @returns null until it is loaded, which is tried again and again
 */
export function useLoaded<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  isNeeded: boolean,
): ComponentType<Props> | null {
  const [loaded, setLoaded] = useState<{ component: ComponentType<Props> } | null>(null);
  useEffect(() => {
    if (loaded) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const attempt = () => {
      load().then(
        ({ default: component }) => !isOver && setLoaded({ component }),
        () => !isOver && (timer = setTimeout(attempt, RETRY_MS)),
      );
    };
    timer = setTimeout(attempt, isNeeded ? 0 : PRELOAD_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [load, isNeeded, loaded]);
  return loaded && loaded.component;
}
