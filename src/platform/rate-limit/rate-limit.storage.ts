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
  /** Redis while it answers, else memory; memory alone where there is no Redis. */
  shared: RateLimiterAbstract;
  memory: RateLimiterMemory;
}

type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** How long a request waits for a Redis that keeps the connection open but does not answer. */
const REDIS_TIMEOUT_MS = 500;

/** Counts in memory, or in Redis for all instances; while Redis is away each instance counts for itself. */
export class RateLimitStorage implements ThrottlerStorage {
  private readonly limiters = new Map<string, Limiter>();

  constructor(private readonly redis: Redis | undefined) {}

  /** `ttl` in milliseconds; the verdict's times in seconds, 1 at least. */
  async increment(
    key: string,
    ttl: number,
    limit: number,
    _block: number,
    name: string,
  ): Promise<ThrottlerRecord> {
    const { shared } = this.limiter(name, limit, ttl / 1000);
    try {
      return toRecord(await shared.consume(key), false);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return toRecord(refusal, true);
      throw refusal;
    }
  }

  /** Takes back all that was counted, also what was counted here while Redis was away. */
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
