import { signal } from '@preact/signals';

/** Milliseconds since 1970, every second. */
export const now = signal(Date.now());

setInterval(() => (now.value = Date.now()), 1000);
