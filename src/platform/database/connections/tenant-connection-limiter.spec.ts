import { setImmediate as turn } from 'node:timers/promises';
import { ConnectionLimiter, ConnectionLimitError } from './connection-limiter';
import { LargeReadBudget } from './large-read-budget';
import { TenantConnectionLimiter } from './tenant-connection-limiter';

/** A limiter of two connections, and functions that end the work in progress. */
function setUp() {
  const connections = new ConnectionLimiter({ databasePoolSize: 10 });
  const budget = new LargeReadBudget();
  const limiter = new TenantConnectionLimiter(connections, budget);
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
  return { connections, budget, limiter, started, begin, endNext };
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
    const { connections, limiter } = setUp();
    const release = await limiter.acquire('a');
    connections.waitTimeoutMs = 5;
    await expect(limiter.acquire('a')).rejects.toBeInstanceOf(ConnectionLimitError);
    const aborted = AbortSignal.abort(new Error('gone'));
    await expect(limiter.acquire('b', aborted)).rejects.toThrow('gone');
    await expect(limiter.run('c', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    const users = () => ['a', 'b', 'c'].map((tenant) => limiter['tenants'].usersOf(tenant));
    expect(users()).toEqual([1, 0, 0]);
    release();
    release();
    expect(users()).toEqual([0, 0, 0]);
  });

  it('frees the turn of a tenant for which no connection became free', async () => {
    const { connections, limiter } = setUp();
    const releases = [await limiter.acquire('a'), await limiter.acquire('b')];
    connections.waitTimeoutMs = 5;
    await expect(limiter.acquire('c')).rejects.toBeInstanceOf(ConnectionLimitError);
    for (const release of releases) release();
    (await limiter.acquire('c'))();
  });

  it('lets a tenant that has exceeded its budget wait, and no other one', async () => {
    const { connections, budget, limiter } = setUp();
    spend(budget, 5550);
    const delayMs = budget.delayMs('a');
    const begin = performance.now();
    (await limiter.acquire('b'))();
    expect(performance.now() - begin).toBeLessThan(delayMs);
    (await limiter.acquire('a'))();
    expect(performance.now() - begin).toBeGreaterThanOrEqual(delayMs - 20);
    spend(budget, 10_000);
    connections.waitTimeoutMs = 5;
    await expect(limiter.acquire('a')).rejects.toBeInstanceOf(ConnectionLimitError);
    connections.waitTimeoutMs = 10_000;
    const waiting = new AbortController();
    const aborted = limiter.acquire('a', waiting.signal);
    setImmediate(() => waiting.abort());
    await expect(aborted).rejects.toThrow('aborted');
    expect(limiter['tenants'].usersOf('a')).toBe(0);
  });
});
