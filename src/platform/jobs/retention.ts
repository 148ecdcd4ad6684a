import { setTimeout } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Clock } from '../clock/clock';
import { Database } from '../database/database';
import { Metrics } from '../metrics/metrics';
import { Jobs } from './jobs';

const QUEUE = 'purge-old-rows';
const NIGHTLY = '23 3 * * *';
/** Enough for the rows of months. The next night continues a run that takes longer. */
const MAX_RUN_SECONDS = 6 * 3600;
/** Rows purged in one transaction, which holds their locks only briefly. */
const BATCH_SIZE = 1000;

/** How long the rows of a table are kept. */
export interface RetentionRule {
  /** What is purged, for logs and metrics. */
  table: string;
  /** Undefined if rows are kept without limit. */
  days: number | undefined;
  /**
   * Purges at most $2 rows that are older than $1, by an index, and returns a row for each. It is executed across
   * tenants. With `id = ANY (ARRAY(SELECT …))` the plan does not depend on how many rows the planner expects.
   */
  purgeSql: string;
}

/**
 * Purges old rows every night (UTC). Each context registers rules for its tables. Rows are purged in short transactions
 * with pauses, so that no request waits for them.
 */
@Injectable()
export class Retention implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(Retention.name);
  private readonly registered: RetentionRule[] = [];
  /** The series of a table begins at 0 when its rule is registered. */
  private readonly purged: Counter<'table'>;
  private readonly shutdown = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    { registry }: Metrics,
  ) {
    this.purged = new Counter({
      name: 'vcq_retention_purged_rows_total',
      help: 'Rows purged because they were older than their retention, by table',
      labelNames: ['table'],
      registers: [registry],
    });
  }

  /** Call it before the application has started. */
  register(rule: RetentionRule): void {
    this.registered.push(rule);
    this.purged.inc({ table: rule.table }, 0);
  }

  get rules(): readonly RetentionRule[] {
    return this.registered;
  }

  onModuleInit(): void {
    this.jobs.schedule(QUEUE, NIGHTLY, (signal) => this.run(signal), { expireInSeconds: MAX_RUN_SECONDS });
  }

  /** pg-boss aborts its signal only after it has waited for the job; a purge can stop at once. */
  onModuleDestroy(): void {
    this.shutdown.abort(new Error('The service stops'));
  }

  /**
   * Applies all rules, one after another. A rule that fails does not stop the others.
   * @throws the signal's reason when it is aborted between two batches; AggregateError if rules failed
   */
  async run(signal: AbortSignal): Promise<void> {
    const stop = AbortSignal.any([signal, this.shutdown.signal]);
    const failures: unknown[] = [];
    for (const rule of this.registered) {
      try {
        await this.apply(rule, stop);
      } catch (error) {
        stop.throwIfAborted();
        this.logger.error(error, `Old rows of ${rule.table} could not be purged`);
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Old rows could not be purged');
  }

  private async apply({ table, days, purgeSql }: RetentionRule, signal: AbortSignal): Promise<void> {
    if (days === undefined) return;
    const before = this.clock.in(-days * 86_400);
    const startedAt = performance.now();
    let purgedCount = 0;
    try {
      let batchCount: number;
      do {
        signal.throwIfAborted();
        const batchStartedAt = performance.now();
        batchCount = await this.purgeBatch(purgeSql, before);
        purgedCount += batchCount;
        // A pause as long as the batch leaves at least half of the time to other work.
        if (batchCount === BATCH_SIZE) await setTimeout(performance.now() - batchStartedAt, null, { signal });
      } while (batchCount === BATCH_SIZE);
    } finally {
      this.purged.inc({ table }, purgedCount);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      if (purgedCount > 0) {
        this.logger.log(`Purged ${purgedCount} rows of ${table} older than ${days} days in ${seconds} s`);
      }
    }
  }

  private async purgeBatch(purgeSql: string, before: Date): Promise<number> {
    const counted = await this.database.system((tx) =>
      tx.one<{ count: number }>(`WITH purged AS (${purgeSql}) SELECT count(*)::int AS count FROM purged`, [
        before,
        BATCH_SIZE,
      ]),
    );
    return counted?.count ?? 0;
  }
}
