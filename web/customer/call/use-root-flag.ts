import { useEffect } from 'preact/hooks';

/** Sets `data-<name>` on the root element, for styles that depend on what the screen shows. */
export function useRootFlag(name: 'call' | 'chat', isSet = true): void {
  useEffect(() => {
    if (!isSet) return undefined;
    const { dataset } = document.documentElement;
    dataset[name] = '';
    return () => void delete dataset[name];
  }, [name, isSet]);
}
