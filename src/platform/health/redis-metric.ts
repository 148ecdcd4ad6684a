import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Gauge } from 'prom-client';
import { REDIS } from '../redis/redis.module';
import { Metrics } from '../metrics/metrics';

/** How long a scrape waits for a Redis that is connected but does not answer. */
const PING_TIMEOUT_MS = 500;

/** The metric vcq_redis_up. It exists only if REDIS_URL is set. */
@Injectable()
export class RedisMetric implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    @Inject(REDIS) private readonly redis: Redis | undefined,
  ) {}

  onModuleInit(): void {
    const { redis } = this;
    if (!redis) return;
    const gauge: Gauge = new Gauge({
      name: 'vcq_redis_up',
      help: 'Whether Redis answers: 1 or 0',
      registers: [this.metrics.registry],
      collect: async () => gauge.set((await isUp(redis)) ? 1 : 0),
    });
  }
}

async function isUp(redis: Redis): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PING_TIMEOUT_MS);
  });
  const answer = redis.ping().then(
    () => true,
    () => false,
  );
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
}
