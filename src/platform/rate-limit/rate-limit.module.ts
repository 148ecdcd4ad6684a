import { type ExecutionContext, Module } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ThrottlerModule, type ThrottlerOptions } from '@nestjs/throttler';
import type { Redis } from 'ioredis';
import { CONFIG, type Config } from '../config/config';
import { REDIS } from '../redis/redis.module';
import { RATE_LIMIT, type RateLimitPolicy } from './rate-limit.decorator';
import { RateLimitStorage } from './rate-limit.storage';

const MINUTE_MS = 60_000;
/** A gateway that delivers a backlog is welcome; a flood from one address is not. */
const GATEWAY_LIMIT = 600;

@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [CONFIG, REDIS, Reflector],
      useFactory: (config: Config, redis: Redis | undefined, reflector: Reflector) => {
        const throttler = (name: string, limit: number, policy: RateLimitPolicy): ThrottlerOptions => ({
          name,
          limit,
          ttl: MINUTE_MS,
          skipIf: (context) => policyOf(reflector, context) !== policy,
        });
        return {
          storage: new RateLimitStorage(redis),
          setHeaders: false,
          throttlers: [
            throttler('auth', config.rateLimits.auth, 'auth'),
            throttler('auth_address', config.rateLimits.auth_address, 'auth'),
            throttler('public', config.rateLimits.public, 'public'),
            throttler('gateway', GATEWAY_LIMIT, 'gateway'),
            throttler('api', config.rateLimits.api, 'api'),
          ],
        };
      },
    }),
  ],
  exports: [ThrottlerModule],
})
export class RateLimitModule {}

function policyOf(reflector: Reflector, context: ExecutionContext): RateLimitPolicy {
  const targets = [context.getHandler(), context.getClass()];
  return reflector.getAllAndOverride<RateLimitPolicy | undefined>(RATE_LIMIT, targets) ?? 'api';
}
