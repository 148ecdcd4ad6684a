import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionLimitError, Semaphore } from './semaphore';

const semaphoreOf = (places: number) => new Semaphore({ places, busyMessage: 'busy' });

/** Acquires a place for each owner, in this order, and records whose turn it is. */
function acquireFor(semaphore: Semaphore, owners: string[]) {
  const turns: string[] = [];
  const held: { owner: string; release: () => void }[] = [];
  for (const owner of owners) {
    void semaphore.acquire({ owner }).then((release) => {
      turns.push(owner);
      held.push({ owner, release });
    });
  }
  return { turns, held };
}

/** How many places can be acquired at the same time. */
async function capacityOf(semaphore: Semaphore): Promise<number> {
  for (let count = 0; ; count++) {
    const isAcquired = await semaphore.acquire({ waitMs: 1 }).then(
      () => true,
      () => false,
    );
    if (!isAcquired) return count;
  }
}

const failAtOnce = () => {
  throw new Error('at once');
};

/** Waits until all pending promise callbacks have run. */
const idle = () => new Promise(setImmediate);

describe('Semaphore', () => {
  it('lets an owner with few places go before one that holds many, however long that one has waited', async () => {
    const { turns, held } = acquireFor(semaphoreOf(2), ['a', 'a', 'a', 'a', 'a', 'b', 'c', 'b']);
    for (await idle(); held.length > 0; await idle()) held.shift()?.release();
    expect(turns).toEqual(['a', 'a', 'b', 'a', 'c', 'b', 'a', 'a']);
  });

  it('leaves no place unused when only one owner waits', async () => {
    const { turns, held } = acquireFor(semaphoreOf(3), ['a', 'a', 'a', 'a']);
    await idle();
    expect(turns).toEqual(['a', 'a', 'a']);
    // Otherwise the last one would stop waiting after the test, and its error would end the process.
    held.shift()?.release();
    await idle();
    expect(turns).toHaveLength(4);
  });

  it('gives an owner no more places than it may hold, and the others theirs meanwhile', async () => {
    const semaphore = new Semaphore({ places: Infinity, perOwner: 1, busyMessage: 'busy' });
    const { turns, held } = acquireFor(semaphore, ['a', 'a', 'b', 'a', 'c']);
    await idle();
    expect(turns).toEqual(['a', 'b', 'c']);
    for (; held.length > 0; await idle()) held.shift()?.release();
    expect(turns).toEqual(['a', 'b', 'c', 'a', 'a']);
  });

  it('refuses at once what an owner has no room to wait for, and nothing of others', async () => {
    const semaphore = new Semaphore({ places: 1, maxWaiting: 2, busyMessage: 'busy' });
    const { turns, held } = acquireFor(semaphore, ['a', 'a', 'a', 'b']);
    await expect(semaphore.acquire({ owner: 'a', waitMs: 60_000 })).rejects.toBeInstanceOf(
      ConnectionLimitError,
    );
    expect([semaphore.usersOf('a'), semaphore.usersOf('b')]).toEqual([3, 1]);
    for (await idle(); held.length > 0; await idle()) held.shift()?.release();
    expect(turns).toEqual(['a', 'a', 'b', 'a']);
    expect(semaphore.usersOf('a')).toBe(0);
  });

  it('never exceeds its limit, and grants places in the order of the requests', async () => {
    const semaphore = semaphoreOf(2);
    const started: number[] = [];
    let running = 0;
    let maxRunning = 0;
    const work = async (number: number) => {
      started.push(number);
      maxRunning = Math.max(maxRunning, ++running);
      await delay(number % 3);
      running--;
      return number;
    };
    const numbers = Array.from({ length: 30 }, (_, number) => number);
    expect(await Promise.all(numbers.map((number) => semaphore.run(() => work(number))))).toEqual(numbers);
    expect(started).toEqual(numbers);
    expect(maxRunning).toBe(2);
    expect(await capacityOf(semaphore)).toBe(2);
  });

  it('frees the place of work that fails, at once or later', async () => {
    const semaphore = semaphoreOf(1);
    await expect(semaphore.run(failAtOnce)).rejects.toThrow('at once');
    await expect(semaphore.run(() => Promise.reject(new Error('later')))).rejects.toThrow('later');
    expect(await capacityOf(semaphore)).toBe(1);
  });

  it('frees a place only once', async () => {
    const semaphore = semaphoreOf(1);
    const release = await semaphore.acquire();
    release();
    release();
    expect(await capacityOf(semaphore)).toBe(1);
  });

  it('rejects a user that has waited too long, and serves the next one', async () => {
    const semaphore = semaphoreOf(1);
    const release = await semaphore.acquire();
    await expect(semaphore.acquire({ waitMs: 20 })).rejects.toBeInstanceOf(ConnectionLimitError);
    const next = semaphore.acquire();
    release();
    (await next)();
    expect(await capacityOf(semaphore)).toBe(1);
  });

  it('removes an aborted user from the line', async () => {
    const semaphore = semaphoreOf(1);
    const release = await semaphore.acquire();
    const { signal, abort } = abortable();
    const aborted = expect(semaphore.acquire({ signal })).rejects.toThrow('gone');
    const next = semaphore.acquire();
    abort();
    await aborted;
    release();
    (await next)();
    await expect(semaphore.acquire({ signal })).rejects.toThrow('gone');
    expect(await capacityOf(semaphore)).toBe(1);
  });

  it('forgets owners that neither hold nor wait for a place', async () => {
    const semaphore = semaphoreOf(1);
    const release = await semaphore.acquire({ owner: 'a' });
    await expect(semaphore.acquire({ owner: 'b', waitMs: 1 })).rejects.toThrow('busy');
    release();
    const maps = [semaphore['lines'], semaphore['heldByOwner'], semaphore['heldByKind']];
    expect(maps.map(({ size }) => size)).toEqual([0, 0, 0]);
  });
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error('gone')) };
}
