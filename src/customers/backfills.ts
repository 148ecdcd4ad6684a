import { setTimeout } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { Jobs } from '../platform/jobs/jobs';

const QUEUE = 'backfills';
/** A backfill begins within this time after an upgrade, and is continued within it after its instance has ended. */
const EVERY_TEN_MINUTES = '*/10 * * * *';
const MAX_RUN_SECONDS = 6 * 3600;

/** A change of existing rows that a new version needs, and without which it works until then. */
export interface Backfill<Progress extends object = object> {
  /** In the table `backfills`; unique for ever. */
  name: string;
  /**
   * Changes some rows in a short transaction across tenants.
   * @param progress what the batch before returned; undefined at the beginning
   * @returns undefined if nothing is left
   */
  runBatch(this: void, tx: Transaction, progress: Progress | undefined): Promise<Progress | undefined>;
}

/**
 * Runs backfills as jobs, because a migration may change only few rows. They are registered before the start. The progress is
 * committed with each batch, and a pause follows, so that no request waits.
 */
@Injectable()
export class Backfills implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(Backfills.name);
  private readonly registered: Backfill[] = [];
  private readonly completed = new Set<string>();
  private readonly shutdown = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /** Call it before the application has started. */
  register<Progress extends object>(backfill: Backfill<Progress>): void {
    this.registered.push(backfill);
  }

  onModuleInit(): void {
    this.jobs.schedule(QUEUE, EVERY_TEN_MINUTES, (signal) => this.run(signal), {
      expireInSeconds: MAX_RUN_SECONDS,
    });
  }

  onModuleDestroy(): void {
    this.shutdown.abort(new Error('The service stops'));
  }

  /**
   * Completes all backfills, one after another.
   * @throws the signal's reason when it is aborted between two batches, and what a batch throws
   */
  async run(signal: AbortSignal): Promise<void> {
    const stop = AbortSignal.any([signal, this.shutdown.signal]);
    for (const backfill of this.registered) {
      if (this.completed.has(backfill.name)) continue;
      for (;;) {
        stop.throwIfAborted();
        const startedAt = performance.now();
        if (await this.runBatch(backfill)) break;
        // A pause as long as the batch leaves at least half of the time to other work.
        await setTimeout(performance.now() - startedAt, null, { signal: stop });
      }
      this.completed.add(backfill.name);
    }
  }

  /** The row is locked, so two instances do one batch after the other. @returns whether nothing is left */
  private runBatch({ name, runBatch }: Backfill): Promise<boolean> {
    return this.database.system(async (tx) => {
      await tx.query('INSERT INTO backfills (name) VALUES ($1) ON CONFLICT DO NOTHING', [name]);
      const row = await tx.one<{ progress: object | null; is_complete: boolean }>(
        'SELECT progress, completed_at IS NOT NULL AS is_complete FROM backfills WHERE name = $1 FOR UPDATE',
        [name],
      );
      if (row?.is_complete) return true;
      const progress = await runBatch(tx, row?.progress ?? undefined);
      await tx.query(
        'UPDATE backfills SET progress = COALESCE($2::jsonb, progress), completed_at = $3 WHERE name = $1',
        [name, progress ? JSON.stringify(progress) : null, progress ? null : this.clock.now()],
      );
      if (!progress) tx.afterCommit(async () => this.logger.log(`The backfill ${name} is complete.`));
      return progress === undefined;
    });
  }
}
