import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

type Limiter = RateLimiterMemory | RateLimiterRedis;
type Verdict = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Counts in memory, or in Redis for all instances; while Redis is away each instance counts for itself. */
export class RateLimitStorage implements ThrottlerStorage {
  private readonly limiters = new Map<string, Limiter>();

  constructor(private readonly redis: Redis | undefined) {}

  async increment(key: string, ttl: number, limit: number, _block: number, name: string): Promise<Verdict> {
    const limiter = this.limiter(name, limit, ttl / 1000);
    try {
      return verdict(await limiter.consume(key), false);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return verdict(refusal, true);
      throw refusal;
    }
  }

  private limiter(name: string, points: number, duration: number): Limiter {
    const known = this.limiters.get(name);
    if (known) return known;
    const options = { keyPrefix: `rate:${name}`, points, duration };
    const memory = new RateLimiterMemory(options);
    const limiter = this.redis
      ? new RateLimiterRedis({ ...options, storeClient: this.redis, insuranceLimiter: memory })
      : memory;
    this.limiters.set(name, limiter);
    return limiter;
  }
}

function verdict(result: RateLimiterRes, isBlocked: boolean): Verdict {
  const seconds = Math.ceil(result.msBeforeNext / 1000);
  return {
    totalHits: result.consumedPoints,
    timeToExpire: seconds,
    isBlocked,
    timeToBlockExpire: isBlocked ? seconds : 0,
  };
}
