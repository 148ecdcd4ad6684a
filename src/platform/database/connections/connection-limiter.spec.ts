import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionLimiter, ConnectionLimitError } from './connection-limiter';

const failAtOnce = () => {
  throw new Error('at once');
};

const limiterOf = (databasePoolSize: number) => new ConnectionLimiter({ databasePoolSize });

/** How many connections can be acquired at the same time. */
async function capacityOf(limiter: ConnectionLimiter): Promise<number> {
  limiter.waitTimeoutMs = 1;
  for (let count = 0; ; count++) {
    const isAcquired = await limiter.acquire().then(
      () => true,
      () => false,
    );
    if (!isAcquired) return count;
  }
}

describe('ConnectionLimiter', () => {
  it.each([
    [1, 1],
    [4, 1],
    [9, 1],
    [10, 2],
    [50, 10],
  ])('of a pool of %i grants %i connections', async (poolSize, capacity) => {
    expect(await capacityOf(limiterOf(poolSize))).toBe(capacity);
  });

  it('never exceeds its limit, and grants connections in the order of the requests', async () => {
    const limiter = limiterOf(10);
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
    expect(await Promise.all(numbers.map((number) => limiter.run(() => work(number))))).toEqual(numbers);
    expect(started).toEqual(numbers);
    expect(maxRunning).toBe(2);
    expect(await capacityOf(limiter)).toBe(2);
  });

  it('releases the connection of work that fails, at once or later', async () => {
    const limiter = limiterOf(5);
    await expect(limiter.run(failAtOnce)).rejects.toThrow('at once');
    await expect(limiter.run(() => Promise.reject(new Error('later')))).rejects.toThrow('later');
    expect(await capacityOf(limiter)).toBe(1);
  });

  it('releases a connection only once', async () => {
    const limiter = limiterOf(5);
    const release = await limiter.acquire();
    release();
    release();
    expect(await capacityOf(limiter)).toBe(1);
  });

  it('rejects a request that has waited too long, and serves the next one', async () => {
    const limiter = limiterOf(5);
    limiter.waitTimeoutMs = 20;
    const release = await limiter.acquire();
    await expect(limiter.acquire()).rejects.toBeInstanceOf(ConnectionLimitError);
    const next = limiter.acquire();
    release();
    (await next)();
    expect(await capacityOf(limiter)).toBe(1);
  });

  it('removes an aborted request from the queue', async () => {
    const limiter = limiterOf(5);
    const release = await limiter.acquire();
    const controller = new AbortController();
    const aborted = expect(limiter.acquire(controller.signal)).rejects.toThrow('gone');
    const next = limiter.acquire();
    controller.abort(new Error('gone'));
    await aborted;
    release();
    (await next)();
    await expect(limiter.acquire(controller.signal)).rejects.toThrow('gone');
    expect(await capacityOf(limiter)).toBe(1);
  });
});
