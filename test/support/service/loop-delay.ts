import { setTimeout } from 'node:timers/promises';
import type { ServiceProcess } from './service-process';

/** No request or message within its limits may block the event loop longer than this. */
export const MAX_LOOP_DELAY_MS = 50;

const ROUNDS = 3;

const PAUSE_MS = 100;

/** Stops the process for a moment, which delays its loop, too: a monitor that records nothing would let everything pass. */
export async function expectMeasuredDelays(service: ServiceProcess): Promise<void> {
  const delay = await loopDelayOf(service, async () => {
    service.signal('SIGSTOP');
    await setTimeout(PAUSE_MS);
    service.signal('SIGCONT');
  });
  expect(delay).toBeGreaterThan(MAX_LOOP_DELAY_MS);
}

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
