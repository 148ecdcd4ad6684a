import { Global, Inject, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis, type RedisOptions } from 'ioredis';
import { Gauge, type Registry } from 'prom-client';
import { CONFIG, type Config } from '../config/config';
import { Metrics } from '../metrics/metrics';

/** Injection token of the Redis client; undefined when REDIS_URL is unset. */
export const REDIS = Symbol('REDIS');

/**
 * A server that is frozen or cut off keeps its connections. Without these limits requests would wait for it for ever.
 * A connection without a pending command notices by TCP that its host is gone.
 */
const SILENCE_LIMITS: RedisOptions = { connectTimeout: 5000, socketTimeout: 3000, keepAlive: 10_000 };

/** Commands fail at once while Redis is unavailable: every use of them has a fallback. */
const COMMAND_OPTIONS: RedisOptions = {
  ...SILENCE_LIMITS,
  commandTimeout: 1500,
  maxRetriesPerRequest: 1,
  enableOfflineQueue: false,
};
/** A subscription is requested once and must succeed as soon as Redis is available. */
const SUBSCRIBER_OPTIONS: RedisOptions = {
  ...SILENCE_LIMITS,
  maxRetriesPerRequest: null,
  enableOfflineQueue: true,
};

/**
 * The adapter of Socket.IO ignores the promises of its commands, which are rejected while Redis is unavailable and during
 * shutdown: that must not end the process. The connection logs the outage, and clients resynchronise from a snapshot.
 */
class OutageTolerantRedis extends Redis {
  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    command.promise.catch(() => {});
    return super.sendCommand(command, stream);
  }
}

export function connectRedis(url: string): Redis {
  return connect(url, COMMAND_OPTIONS);
}

/** A separate connection for subscriptions, which are restored after an outage. */
export function connectRedisSubscriber(url: string): Redis {
  return connect(url, SUBSCRIBER_OPTIONS);
}

function connect(url: string, options: RedisOptions): Redis {
  const redis = new OutageTolerantRedis(url, options);
  const logger = new Logger('Redis');
  // ioredis reconnects on its own. Only the first failure of an outage is logged.
  let isUnavailable = false;
  redis.on('error', (error) => {
    if (!isUnavailable) logger.error(`Redis is unavailable: ${error.message}`);
    isUnavailable = true;
  });
  redis.on('ready', () => {
    if (isUnavailable) logger.log('Redis is available again');
    isUnavailable = false;
  });
  return redis;
}

/** The metric vcq_redis_up. It exists only if REDIS_URL is set. */
function measure(redis: Redis, registry: Registry): void {
  const gauge: Gauge = new Gauge({
    name: 'vcq_redis_up',
    help: 'Whether Redis answers: 1 or 0',
    registers: [registry],
    collect: async () => {
      const isUp = await redis.ping().then(
        () => 1,
        () => 0,
      );
      gauge.set(isUp);
    },
  });
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
  constructor(
    @Inject(REDIS) private readonly redis: Redis | undefined,
    { registry }: Metrics,
  ) {
    if (redis) measure(redis, registry);
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}
