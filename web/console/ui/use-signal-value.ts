import type { ReadonlySignal } from '@preact/signals-core';
import { useCallback, useSyncExternalStore } from 'react';

/** The value of a signal; the component is rendered again when it changes. */
export function useSignalValue<T>(signal: ReadonlySignal<T>): T {
  const subscribe = useCallback((listener: () => void) => signal.subscribe(listener), [signal]);
  return useSyncExternalStore(subscribe, () => signal.peek());
}
