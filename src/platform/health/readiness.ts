import { Inject, Injectable } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import type { Redis } from 'ioredis';
import { MIGRATIONS } from '../../../migrations';
import { Database } from '../database/database';
import { REDIS } from '../redis/redis.module';
import { Lifecycle } from './lifecycle';

const NEWEST_MIGRATION = MIGRATIONS.at(-1)?.name ?? '';

/** Checks for the readiness probe. */
@Injectable()
export class Readiness {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly database: Database,
    private readonly lifecycle: Lifecycle,
    @Inject(REDIS) private readonly redis: Redis | undefined,
  ) {}

  checks(): (() => Promise<HealthIndicatorResult>)[] {
    return [
      () => this.check('service', async () => !this.lifecycle.isShuttingDown),
      () => this.check('database', () => this.isMigrated(), 'migrations'),
      ...(this.redis ? [() => this.check('redis', async () => (await this.redis?.ping()) === 'PONG')] : []),
    ];
  }

  private async isMigrated(): Promise<boolean> {
    const [rows] = await this.database.readSystem<[object]>([
      { text: 'SELECT FROM migrations WHERE name = $1', values: [NEWEST_MIGRATION] },
    ]);
    return rows.length === 1;
  }

  private async check(
    key: string,
    isUp: () => Promise<boolean>,
    reason?: string,
  ): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(key);
    try {
      return (await isUp()) ? indicator.up() : indicator.down(reason ? { reason } : undefined);
    } catch {
      return indicator.down({ reason: 'unreachable' });
    }
  }
}
