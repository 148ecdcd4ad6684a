// Clients that only make load have machines of their own, whereas here they share the processors with what is measured.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const AUTOGROUP = '/proc/self/autogroup';
/** Linux accepts one change of an autogroup in 100 ms, and answers others with EAGAIN. */
const AUTOGROUP_PAUSE_MS = 120;

/**
 * Gives this process the smallest share of the processors (nice 19), and then tells its parent that it is ready. Linux may
 * schedule by session (autogroup), so the process needs one of its own: `forkInOwnSession`.
 */
export async function runAtLowestPriority() {
  setPriority(constants.priority.PRIORITY_LOW);
  while (existsSync(AUTOGROUP)) {
    try {
      writeFileSync(AUTOGROUP, String(constants.priority.PRIORITY_LOW));
      break;
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      await new Promise((resolve) => setTimeout(resolve, AUTOGROUP_PAUSE_MS));
    }
  }
  process.send('ready');
}

/**
 * Starts a module of this folder as a process in a session of its own. It has to end when its parent does.
 * @returns the child process, with `isReady`, which fails if it ends before its first message, and a function `stop`
 */
export function forkInOwnSession(file, ...args) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, { detached: true });
  const exited = once(child, 'exit');
  const isReady = Promise.race([
    once(child, 'message'),
    exited.then(() => Promise.reject(new Error(`${file} ended at once`))),
  ]);
  const stop = async () => {
    child.kill();
    await exited;
  };
  return Object.assign(child, { isReady, stop });
}
