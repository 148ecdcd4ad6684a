const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;

/** @returns milliseconds before the attempt after `refusals` refused ones: doubled each time, by up to a quarter shorter */
export function retryDelay(refusals: number, random: () => number = Math.random): number {
  return Math.min(FIRST_DELAY_MS * 2 ** refusals, MAX_DELAY_MS) * (1 - random() / 4);
}
