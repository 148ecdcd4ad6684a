import type { ComponentChild, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { spread } from '../../shared/socket-retry';
import { type AppServices, useApp } from './app-context';

/** A component in a file of its own, which is loaded when it is first shown. `preload` loads it before. */
export function lazyChunk<Props extends object>(
  load: (services: AppServices) => Promise<ComponentType<Props>>,
) {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const preload = (services: AppServices): Promise<void> => {
    loading ??= load(services).then(
      (component) => {
        loaded = component;
      },
      (error: unknown) => {
        // The next one to need it tries again: the network may be back.
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  function LazyChunk({ fallback = null, ...props }: Props & { fallback?: ComponentChild }) {
    const services = useApp();
    const [, setLoaded] = useState(loaded !== undefined);
    useEffect(() => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const attempt = () => {
        preload(services).then(
          () => setLoaded(true),
          () => (timer = setTimeout(attempt, spread(2000))),
        );
      };
      if (!loaded) attempt();
      return () => clearTimeout(timer);
    }, []);
    const Component = loaded;
    return Component ? <Component {...(props as unknown as Props)} /> : fallback;
  }
  return Object.assign(LazyChunk, { preload });
}
