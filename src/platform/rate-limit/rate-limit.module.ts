import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import type { Redis } from 'ioredis';
import { CONFIG, type Config } from '../config/config';
import { REDIS } from '../redis/redis.module';
import { FairTurns } from './fair-turns';
import { RateLimiter } from './rate-limiter';
import { RateLimitStorage } from './rate-limit.storage';

const MINUTE_MS = 60_000;
/** Enough for pages with many images, but it stops a flood from one address. */
const ASSET_LIMIT = 600;
/** A gateway sends its backlog as fast as we respond, and stops delivering after a few rejections. */
const GATEWAY_LIMIT = 30_000;

@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [CONFIG, REDIS],
      useFactory: (config: Config, redis: Redis | undefined) => {
        const limits = { ...config.rateLimits, gateway: GATEWAY_LIMIT, asset: ASSET_LIMIT };
        return {
          storage: new RateLimitStorage(redis),
          throttlers: Object.entries(limits).map(([name, limit]) => ({ name, limit, ttl: MINUTE_MS })),
        };
      },
    }),
  ],
  providers: [RateLimiter, FairTurns],
  exports: [ThrottlerModule, RateLimiter, FairTurns],
})
export class RateLimitModule {}
