import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible';

interface Limiter {
  /** Redis, or memory while Redis does not answer or is not configured. */
  shared: RateLimiterAbstract;
  memory: RateLimiterMemory;
}

type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** How long a request waits for a Redis that is connected but does not answer. */
const REDIS_TIMEOUT_MS = 500;

/**
 * Counts in Redis for all instances, or in memory. While Redis is unreachable each instance counts by itself.
 */
export class RateLimitStorage implements ThrottlerStorage {
  private readonly limiters = new Map<string, Limiter>();

  constructor(private readonly redis: Redis | undefined) {}

  /** @param ttl milliseconds @returns times in seconds, at least 1 */
  async increment(
    key: string,
    ttl: number,
    limit: number,
    _block: number,
    name: string,
    points = 1,
  ): Promise<ThrottlerRecord> {
    const { shared } = this.limiter(name, limit, ttl / 1000);
    try {
      return toRecord(await shared.consume(key, points), false);
    } catch (rejection) {
      if (rejection instanceof RateLimiterRes) return toRecord(rejection, true);
      throw rejection;
    }
  }

  /** What was counted, without counting. @returns times in seconds; undefined if nothing was counted */
  async peek(
    key: string,
    ttl: number,
    limit: number,
    name: string,
  ): Promise<Pick<ThrottlerRecord, 'totalHits' | 'timeToExpire'> | undefined> {
    const result = await this.limiter(name, limit, ttl / 1000).shared.get(key);
    return result ? toRecord(result, false) : undefined;
  }

  /** Takes points back that were counted. */
  async decrement(key: string, ttl: number, limit: number, name: string, points: number): Promise<void> {
    await this.limiter(name, limit, ttl / 1000).shared.reward(key, points);
  }

  /** Resets the counter in Redis and in memory, which counts while Redis is unreachable. */
  async reset(key: string, ttl: number, limit: number, name: string): Promise<void> {
    const { shared, memory } = this.limiter(name, limit, ttl / 1000);
    await shared.delete(key);
    await memory.delete(key);
  }

  private limiter(name: string, points: number, duration: number): Limiter {
    const known = this.limiters.get(name);
    if (known) return known;
    const limiter = this.build({ keyPrefix: `rate:${name}`, points, duration });
    this.limiters.set(name, limiter);
    return limiter;
  }

  private build(options: { keyPrefix: string; points: number; duration: number }): Limiter {
    const memory = new RateLimiterMemory(options);
    if (!this.redis) return { shared: memory, memory };
    const limiter = new RateLimiterRedis({ ...options, storeClient: this.redis });
    const shared = new RLWrapperTimeouts({ limiter, timeoutMs: REDIS_TIMEOUT_MS, insuranceLimiter: memory });
    return { shared, memory };
  }
}

function toRecord(result: RateLimiterRes, isBlocked: boolean): ThrottlerRecord {
  const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
  return {
    totalHits: result.consumedPoints,
    timeToExpire: seconds,
    isBlocked,
    timeToBlockExpire: isBlocked ? seconds : 0,
  };
}
