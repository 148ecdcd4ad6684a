// Sockets of customers in a process of their own, so that they do not share the thread of what is measured.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Milliseconds since the epoch, as socket-load.mjs reports them. */
export const now = () => performance.timeOrigin + performance.now();

/**
 * Starts the process.
 * @returns functions for its commands, and `stop`. `expect` returns, once the clients listen, a function to await
 */
export function startSocketClients() {
  const child = fork(fileURLToPath(new URL('socket-load.mjs', import.meta.url)));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const pending = new Map();
  let lastId = 0;
  child.on('message', ({ id, hasBegun, result }) => {
    const { begun, done } = pending.get(id);
    if (hasBegun) {
      begun.resolve();
    } else {
      pending.delete(id);
      done.resolve(result);
    }
  });
  child.once('exit', () => {
    for (const { done } of pending.values()) done.reject(new Error('The process of the clients has ended'));
  });

  const send = (command, options) => {
    const [begun, done] = [Promise.withResolvers(), Promise.withResolvers()];
    const id = ++lastId;
    pending.set(id, { begun, done });
    child.send({ id, command, options });
    return { begun: begun.promise, done: done.promise };
  };
  return {
    connect: (url, tokens) => send('connect', { url, tokens }).done,
    async expect(event, count) {
      const { begun, done } = send('expect', { event, count });
      await begun;
      return () => done;
    },
    close: () => send('close').done,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
