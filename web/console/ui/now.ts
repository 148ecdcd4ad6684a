import { signal } from '@preact/signals-core';
import { useSignalValue } from './use-signal-value';

const now = signal(Date.now());

setInterval(() => (now.value = Date.now()), 1000);

/** Milliseconds since 1970, every second. */
export const useNow = (): number => useSignalValue(now);
