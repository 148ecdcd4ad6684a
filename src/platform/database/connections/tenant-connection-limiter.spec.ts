import { setImmediate as turn } from 'node:timers/promises';
import { LargeReadBudget } from './large-read-budget';
import { ConnectionLimitError } from './semaphore';
import { largeReadPlaces, TenantConnectionLimiter } from './tenant-connection-limiter';

/** A limiter of two connections, and functions that end the work in progress. */
function setUp() {
  const budget = new LargeReadBudget();
  const limiter = new TenantConnectionLimiter({ databasePoolSize: 10 }, budget);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const begin = (tenantId: string) =>
    limiter.run(tenantId, async () => {
      started.push(tenantId);
      await new Promise<void>((resolve) => void ends.push(resolve));
    });
  const endNext = async () => {
    ends.shift()?.();
    await turn();
  };
  return { budget, limiter, started, begin, endNext };
}

/** A read of tenant a has taken `ms`. */
function spend(budget: LargeReadBudget, ms: number): void {
  const now = performance.now();
  budget.begin('a', now - ms)(now);
}

describe('TenantConnectionLimiter', () => {
  it('gives a tenant one connection at a time, and the others their turn', async () => {
    const { started, begin, endNext } = setUp();
    const reads = ['a', 'a', 'a', 'b', 'b', 'c'].map(begin);
    await turn();
    expect(started).toEqual(['a', 'b']);
    for (let count = 0; count < reads.length; count++) await endNext();
    await Promise.all(reads);
    expect(started.slice(0, 3)).toEqual(['a', 'b', 'c']);
    expect(started.toSorted()).toEqual(['a', 'a', 'a', 'b', 'b', 'c']);
  });

  it('keeps nothing of a tenant whose reads have ended, failed, waited too long or were aborted', async () => {
    const { limiter } = setUp();
    const release = await limiter.acquire('a');
    limiter.waitTimeoutMs = 5;
    await expect(limiter.acquire('a')).rejects.toBeInstanceOf(ConnectionLimitError);
    const aborted = AbortSignal.abort(new Error('gone'));
    await expect(limiter.acquire('b', aborted)).rejects.toThrow('gone');
    await expect(limiter.run('c', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    const users = () => ['a', 'b', 'c'].map((tenant) => limiter['turns'].usersOf(tenant));
    expect(users()).toEqual([1, 0, 0]);
    release();
    release();
    expect(users()).toEqual([0, 0, 0]);
  });

  it('frees the turn of a tenant for which no connection became free', async () => {
    const { limiter } = setUp();
    const releases = [await limiter.acquire('a'), await limiter.acquire('b')];
    limiter.waitTimeoutMs = 5;
    await expect(limiter.acquire('c')).rejects.toBeInstanceOf(ConnectionLimitError);
    for (const release of releases) release();
    (await limiter.acquire('c'))();
  });

  it('lets a tenant that has exceeded its budget wait, and no other one', async () => {
    const { budget, limiter } = setUp();
    spend(budget, 5550);
    const delayMs = budget.delayMs('a');
    const begin = performance.now();
    (await limiter.acquire('b'))();
    expect(performance.now() - begin).toBeLessThan(delayMs);
    (await limiter.acquire('a'))();
    expect(performance.now() - begin).toBeGreaterThanOrEqual(delayMs - 20);
    spend(budget, 10_000);
    limiter.waitTimeoutMs = 5;
    await expect(limiter.acquire('a')).rejects.toBeInstanceOf(ConnectionLimitError);
    limiter.waitTimeoutMs = 10_000;
    const waiting = new AbortController();
    const aborted = limiter.acquire('a', waiting.signal);
    setImmediate(() => waiting.abort());
    await expect(aborted).rejects.toThrow('aborted');
    expect(limiter['turns'].usersOf('a')).toBe(0);
  });
});

it.each([
  [1, 1],
  [4, 1],
  [9, 1],
  [10, 2],
  [50, 10],
])('of a pool of %i large reads of a kind hold %i connections', (databasePoolSize, places) => {
  expect(largeReadPlaces({ databasePoolSize })).toBe(places);
});
