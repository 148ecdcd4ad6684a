import { Global, Inject, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis, type RedisOptions } from 'ioredis';
import { CONFIG, type Config } from '../config/config';

/** Injection token of the Redis client; undefined when REDIS_URL is unset. */
export const REDIS = Symbol('REDIS');

/** While Redis is away commands fail at once: nobody should wait for what can do without. */
const IMPATIENT: RedisOptions = { maxRetriesPerRequest: 1, enableOfflineQueue: false };
/** A subscription is made once and has to come true whenever Redis is there. */
const PATIENT: RedisOptions = { maxRetriesPerRequest: null, enableOfflineQueue: true };

export function connectRedis(url: string): Redis {
  return connect(url, IMPATIENT);
}

/** A connection of its own for subscriptions, which outlast every outage. */
export function connectSubscriber(url: string): Redis {
  return connect(url, PATIENT);
}

function connect(url: string, options: RedisOptions): Redis {
  const redis = new Redis(url, options);
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
