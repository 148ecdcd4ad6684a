// Gives the processor to the measured programs first. Clients that only make load have machines of their own in reality,
// where the processors of a benchmark are shared.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const AUTOGROUP = '/proc/self/autogroup';

/** Lets this process run when nothing else does. Linux may schedule by session (autogroup), so call it in an own one. */
export function runAtLowestPriority() {
  setPriority(constants.priority.PRIORITY_LOW);
  if (existsSync(AUTOGROUP)) writeFileSync(AUTOGROUP, String(constants.priority.PRIORITY_LOW));
}

/**
 * Starts a module of this folder as a process in a session of its own. It has to end when its parent does.
 * @returns the child process, with a function `stop` that ends it
 */
export function forkInOwnSession(file, ...args) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, { detached: true });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await exited;
  };
  return Object.assign(child, { stop });
}
