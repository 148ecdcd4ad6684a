import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import type { Pool } from 'pg';
import { MIGRATIONS } from '../../../migrations';
import { CONFIG, type Config } from '../../platform/config/config';
import { createDedicatedPool } from '../../platform/database/connections/dedicated-pool';
import { Lifecycle } from '../../platform/http/lifecycle';

const NEWEST_MIGRATION = MIGRATIONS.at(-1)?.name ?? '';

/**
 * Checks for the readiness probe. Redis is not among them, because the service works without it: its state is a metric.
 */
@Injectable()
export class Readiness implements OnApplicationShutdown {
  /** A separate connection: requests that hold the whole pool do not make the instance unready. */
  private readonly pool: Pool;
  private migrationCheck: Promise<boolean> | undefined;

  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly lifecycle: Lifecycle,
    @Inject(CONFIG) config: Config,
  ) {
    this.pool = createDedicatedPool(config, 'readiness probe');
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  checks(): (() => Promise<HealthIndicatorResult>)[] {
    return [
      () => this.check('service', async () => !this.lifecycle.isDraining),
      () => this.check('database', () => this.isMigrated(), 'migrations'),
    ];
  }

  /** Concurrent probes share one query. */
  private isMigrated(): Promise<boolean> {
    this.migrationCheck ??= this.queryMigration().finally(() => {
      this.migrationCheck = undefined;
    });
    return this.migrationCheck;
  }

  private async queryMigration(): Promise<boolean> {
    const { rows } = await this.pool.query('SELECT FROM migrations WHERE name = $1', [NEWEST_MIGRATION]);
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
