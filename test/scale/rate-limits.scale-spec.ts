import type { Redis } from 'ioredis';
import { RateLimiter } from '../../src/platform/rate-limit/rate-limiter';
import { RateLimitStorage } from '../../src/platform/rate-limit/rate-limit.storage';
import { connectRedis } from '../../src/platform/redis/redis.module';
import { someId } from '../support/builders';
import type { ServiceProcess } from '../support/service/service-process';
import { until } from '../support/until';
import { Cluster } from './support/cluster';
import { RedisServer } from './support/redis';
import { redisUp } from './support/redis-up';

const LIMIT = 10;

let addresses = 0;
const newAddress = () => `2001:db8:${(++addresses).toString(16)}::1`;

/**
 * Expects the right count for two of three new clients: what Redis does not answer within half a second, which happens on a busy
 * machine, an instance counts by itself.
 */
async function expectShared(count: () => Promise<number>, expected: number): Promise<void> {
  const counts: number[] = [];
  for (let client = 0; client < 3; client++) counts.push(await count());
  const [, median] = counts.toSorted((one, other) => one - other);
  expect({ counts, median }).toEqual({ counts, median: expected });
}

describe('rate limits of two instances', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await Cluster.start({ PUBLIC_RATE_LIMIT: String(LIMIT), TRUST_PROXY: 'loopback' });
  });

  afterAll(() => cluster?.stop());

  /** Sends requests from one address to the instances in turn. @returns how many were accepted */
  async function countAccepted(
    requests: number,
    address: string,
    instances: ServiceProcess[],
  ): Promise<number> {
    let passed = 0;
    for (let n = 0; n < requests; n++) {
      const instance = instances[n % instances.length] ?? cluster.a;
      const headers = { 'x-forwarded-for': address };
      const { status } = await instance.api.get('/api/v1/call/no-such-link/validate', { headers });
      expect([404, 429]).toContain(status);
      if (status === 404) passed++;
    }
    return passed;
  }

  it('are shared, also for concurrent requests', async () => {
    const { a, b } = cluster;
    await expectShared(async () => {
      const address = newAddress();
      const sent = Array.from({ length: 40 }, (_, n) => countAccepted(1, address, [n % 2 ? a : b]));
      return (await Promise.all(sent)).filter(Boolean).length;
    }, LIMIT);
    expect(await countAccepted(1, newAddress(), [a])).toBe(1);
  });

  it('are reported with the counts of both instances', async () => {
    const { a, b } = cluster;
    const path = '/api/v1/call/no-such-link/validate';
    await expectShared(async () => {
      const headers = { 'x-forwarded-for': newAddress() };
      await a.api.get(path, { headers });
      const answer = await b.api.get(path, { headers });
      const header = answer.headers.get('ratelimit') ?? '';
      expect(header).toMatch(/^"public";r=\d+;t=\d+$/);
      return LIMIT - Number(/r=(\d+)/.exec(header)?.[1]);
    }, 2);
  });

  it('are counted per instance while Redis is down, and shared again afterwards', async () => {
    const { a, b, redis } = cluster;
    await redis.stop();
    expect(await countAccepted(2 * LIMIT + 4, newAddress(), [a, b])).toBe(2 * LIMIT);

    await redis.restart();
    for (const { url } of [a, b]) await until(async () => (await redisUp(url)) === 1);
    await expectShared(() => countAccepted(LIMIT + 4, newAddress(), [a, b]), LIMIT);
  });

  it('do not wait for a Redis that has stopped answering', async () => {
    const { a, b, redis } = cluster;
    const operator = connectRedis(redis.url);
    await until(() => operator.status === 'ready');
    try {
      await operator.call('CLIENT', 'PAUSE', '60000', 'ALL');
      const start = performance.now();
      expect(await countAccepted(2, newAddress(), [a, b])).toBe(2);
      expect(performance.now() - start).toBeLessThan(10_000);
    } finally {
      operator.disconnect();
    }
  });
});

describe('rate limiters of two instances', () => {
  let server: RedisServer;
  let connections: Redis[];

  beforeAll(async () => {
    server = await RedisServer.start();
    connections = [connectRedis(server.url), connectRedis(server.url)];
    await until(() => connections.every(({ status }) => status === 'ready'));
  });

  afterAll(async () => {
    for (const connection of connections ?? []) connection.disconnect();
    await server?.stop();
  });

  const instances = () => connections.map((redis) => new RateLimiter(new RateLimitStorage(redis)));

  it('share one limit and reset it for both', async () => {
    const limiters = instances();
    await expectShared(async () => {
      const user = someId();
      const before = await countConsumed(50, user, limiters);
      await limiters[0]?.reset('mfa', user);
      return before === 20 ? countConsumed(50, user, limiters) : before;
    }, 20);
    expect(await countConsumed(1, someId(), limiters)).toBe(1);
  });

  it('refuse on both what does not count, once the limit is reached', async () => {
    const limiters = instances();
    await expectShared(async () => {
      const address = newAddress();
      const isRefused = async (limiter: RateLimiter) =>
        limiter.ensureNotReached('document_in_use', address).then(
          () => false,
          () => true,
        );
      let counted = 0;
      while (counted < 20 && !(await isRefused(limiters[counted % 2]))) {
        await limiters[counted++ % 2]?.consume('document_in_use', address);
      }
      const refused = await Promise.all(limiters.map(isRefused));
      return refused.every(Boolean) ? counted : -1;
    }, 5);
  });

  it('count separately while Redis is down and can be reset', async () => {
    const [user, limiters] = [someId(), instances()];
    await server.stop();
    expect(await countConsumed(60, user, limiters)).toBe(40);
    await limiters[0]?.reset('mfa', user);
    expect(await countConsumed(60, user, limiters)).toBe(20);

    await server.restart();
    await until(() => connections.every(({ status }) => status === 'ready'));
    await expectShared(() => countConsumed(60, someId(), limiters), 20);

    // A reset also clears the counts of an outage.
    for (const limiter of limiters) await limiter.reset('mfa', user);
    await server.stop();
    expect(await countConsumed(60, user, limiters)).toBe(40);
  });
});

/** Sends concurrent attempts, divided among the limiters. @returns how many were accepted */
async function countConsumed(attempts: number, user: string, limiters: RateLimiter[]): Promise<number> {
  const outcomes = await Promise.allSettled(
    Array.from({ length: attempts }, (_, n) => limiters[n % limiters.length]?.consume('mfa', user)),
  );
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}
