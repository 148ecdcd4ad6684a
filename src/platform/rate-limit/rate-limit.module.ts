import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import type { Redis } from 'ioredis';
import { CONFIG, type Config } from '../config/config';
import { REDIS } from '../redis/redis.module';
import { RateLimiter } from './rate-limiter';
import { RateLimitStorage } from './rate-limit.storage';

const MINUTE_MS = 60_000;
/** A page full of pictures is welcome, a flood from one address is not. */
const ASSET_LIMIT = 600;
/** A gateway delivers its backlog as fast as it is answered, and stops for good after a few refusals. */
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
  providers: [RateLimiter],
  exports: [ThrottlerModule, RateLimiter],
})
export class RateLimitModule {}
