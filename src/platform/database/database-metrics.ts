import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { Gauge, Histogram } from 'prom-client';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { CONFIG, type Config } from '../config/config';
import { Metrics } from '../metrics/metrics';
import { PoolAdmission } from './connections/pool-admission';

/** The metrics of this instance's connection pool. */
@Injectable()
export class DatabaseMetrics {
  constructor(
    { registry }: Metrics,
    admission: PoolAdmission,
    dataSource: DataSource,
    @Inject(CONFIG) { databasePoolSize }: Config,
  ) {
    const pool = (dataSource.driver as PostgresDriver).master as Pool;
    const connections: Gauge<'state'> = new Gauge({
      name: 'vcq_db_pool_connections',
      help: 'Connections of the pool by state: busy, idle, and unused for those that are not open',
      labelNames: ['state'],
      registers: [registry],
      collect: () => {
        connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
        connections.set({ state: 'idle' }, pool.idleCount);
        connections.set({ state: 'unused' }, Math.max(0, databasePoolSize - pool.totalCount));
      },
    });
    const waits = new Histogram({
      name: 'vcq_db_pool_wait_seconds',
      help: 'How long transactions and reads waited for a connection of the pool, also in vain',
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    });
    admission.onWait((waitedMs) => waits.observe(waitedMs / 1000));
  }
}
