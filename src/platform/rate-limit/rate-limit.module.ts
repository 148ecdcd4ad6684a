import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import type { Redis } from 'ioredis';
import { CONFIG, type Config } from '../config/config';
import { REDIS } from '../redis/redis.module';
import { Allowances } from './allowances';
import { RateLimitStorage } from './rate-limit.storage';

const MINUTE_MS = 60_000;
/** A gateway that delivers a backlog is welcome, and so is a page full of pictures; a flood from one address is not. */
const GENEROUS_LIMIT = 600;

@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [CONFIG, REDIS],
      useFactory: (config: Config, redis: Redis | undefined) => {
        const limits = { ...config.rateLimits, gateway: GENEROUS_LIMIT, asset: GENEROUS_LIMIT };
        return {
          storage: new RateLimitStorage(redis),
          throttlers: Object.entries(limits).map(([name, limit]) => ({ name, limit, ttl: MINUTE_MS })),
        };
      },
    }),
  ],
  providers: [Allowances],
  exports: [ThrottlerModule, Allowances],
})
export class RateLimitModule {}
