import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG, type Config } from '../config/config';
import { Database } from './database';
import { DatabaseMetrics } from './database-metrics';
import { ListCounts } from './list-counts';
import { ListQuery } from './list-query';
import { LargeReads } from './connections/large-reads';
import { PoolAdmission } from './connections/pool-admission';
import { sessionSettings } from './connections/session-settings';
import { StatementTraces } from './connections/statement-traces';
import { isTracingOn } from '../tracing/tracer';
import { KEEP_ALIVE, REQUEST_STATEMENT_TIMEOUT_MS } from './connections/time-limits';

/** A new connection has to authenticate and to prepare and plan each statement again, which slows its first requests. */
const IDLE_TIMEOUT_MS = 300_000;
/** With parallel workers, one large read of a tenant would keep all processors from the calls of others. */
const REPLACEABLE_OPTIONS = `-c statement_timeout=${REQUEST_STATEMENT_TIMEOUT_MS} -c max_parallel_workers_per_gather=0`;
const sessionOf = (config: Config) => sessionSettings(config.databaseUrl ?? '', config.databaseRole);

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [CONFIG],
      useFactory: (config: Config) => ({
        type: 'postgres',
        url: sessionOf(config).url,
        applicationName: 'video-call-queue',
        installExtensions: false,
        autoLoadEntities: true,
        subscribers: isTracingOn(process.env) ? [StatementTraces] : [],
        poolSize: config.databasePoolSize,
        connectTimeoutMS: 5000,
        retryAttempts: 3,
        retryDelay: 1000,
        extra: {
          // First, so that options of DATABASE_URL take precedence.
          options: `${REPLACEABLE_OPTIONS} ${sessionOf(config).options}`,
          pipeline: true,
          idleTimeoutMillis: IDLE_TIMEOUT_MS,
          // A silent network partition must not hold connections for as long as TCP retransmits.
          ...KEEP_ALIVE,
        },
      }),
    }),
  ],
  providers: [Database, DatabaseMetrics, LargeReads, ListCounts, ListQuery, PoolAdmission],
  exports: [LargeReads, Database, ListQuery, PoolAdmission],
})
export class DatabaseModule {}
