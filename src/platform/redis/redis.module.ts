import { Global, Inject, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { CONFIG, type Config } from '../config/config';

/** Injection token of the Redis client; undefined when REDIS_URL is unset. */
export const REDIS = Symbol('REDIS');

export function connectRedis(url: string): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, enableOfflineQueue: false, lazyConnect: false });
  const logger = new Logger('Redis');
  // ioredis reconnects by itself; the log needs the first failure of an outage, not every try.
  let away = false;
  redis.on('error', (error) => {
    if (!away) logger.error(`Redis is out of reach: ${error.message}`);
    away = true;
  });
  redis.on('ready', () => {
    if (away) logger.log('Redis is back');
    away = false;
  });
  return redis;
}

@Global()
@Module({
  providers: [
    {
      provide: REDIS,
      inject: [CONFIG],
      useFactory: (config: Config) => (config.redisUrl ? connectRedis(config.redisUrl) : undefined),
    },
  ],
  exports: [REDIS],
})
export class RedisModule implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: Redis | undefined) {}

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}
