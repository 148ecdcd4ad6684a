import type { ServiceProcess } from './service-process';

/** No request or message within its limits may block the event loop longer than this. */
export const MAX_LOOP_DELAY_MS = 50;

const ROUNDS = 3;

/**
 * Measures how long some work blocks the event loop of a service that was started with `measuresLoopDelay`. Other
 * processes of the machine delay the loop, too, so the work is repeated while the loop is blocked too long.
 * @returns the shortest of at most three maxima, in milliseconds
 */
export async function loopDelayOf(
  service: ServiceProcess,
  work: () => Promise<unknown>,
  rounds = ROUNDS,
): Promise<number> {
  let best = Infinity;
  for (let round = 0; round < rounds && best > MAX_LOOP_DELAY_MS; round++) {
    await service.takeLoopDelay();
    await work();
    best = Math.min(best, await service.takeLoopDelay());
  }
  return best;
}
