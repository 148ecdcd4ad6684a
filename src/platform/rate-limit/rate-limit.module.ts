import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import type { Redis } from 'ioredis';
import { CONFIG, type Config } from '../config/config';
import { REDIS } from '../redis/redis.module';
import { RateLimitStorage } from './rate-limit.storage';

const MINUTE_MS = 60_000;
/** A gateway that delivers a backlog is welcome; a flood from one address is not. */
const GATEWAY_LIMIT = 600;

@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [CONFIG, REDIS],
      useFactory: (config: Config, redis: Redis | undefined) => {
        const { auth, auth_address, public: open, api } = config.rateLimits;
        const limits = { auth, auth_address, public: open, gateway: GATEWAY_LIMIT, api };
        return {
          storage: new RateLimitStorage(redis),
          setHeaders: false,
          throttlers: Object.entries(limits).map(([name, limit]) => ({ name, limit, ttl: MINUTE_MS })),
        };
      },
    }),
  ],
  exports: [ThrottlerModule],
})
export class RateLimitModule {}
