import { setTimeout } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { Jobs } from '../platform/jobs/jobs';

const QUARTER_HOURLY = '*/15 * * * *';
/** Enough for the calls of a large installation. A longer run counts as failed. */
const MAX_REFRESH_SECONDS = 900;
/** A refresh of 1 s is followed by a pause of 9 s, so refreshes take at most a tenth of the database's time. */
const PAUSE_FACTOR = 9;
/** An arbitrary key, the same on all instances. */
const REFRESH_LOCK = 7_304_512;

/** Refreshes the materialized views. The previous contents are served until then. */
@Injectable()
export class ViewRefresher implements OnModuleInit {
  private running: Promise<Date> | undefined;
  /** When this instance may start the next refresh, by performance.now(). */
  private notBefore = 0;

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    const refresh = async () => {
      await this.refresh();
    };
    // The job may have to wait for the pause after a refresh that a request caused.
    const options = { expireInSeconds: (1 + PAUSE_FACTOR) * MAX_REFRESH_SECONDS };
    this.jobs.schedule('analytics.refresh-views', QUARTER_HOURLY, refresh, options);
  }

  /**
   * Refreshes the views, or waits for the refresh that is running on this or another instance. After a refresh this
   * instance pauses, and requests wait for the next one.
   * @returns when that refresh began
   */
  refresh(): Promise<Date> {
    this.running ??= this.refreshThrottled().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async refreshThrottled(): Promise<Date> {
    await setTimeout(Math.max(0, this.notBefore - performance.now()), undefined, { ref: false });
    const began = performance.now();
    const before = await this.database.system(readViewState);
    let refreshedAt: Date | undefined;
    // If another instance's refresh fails, this instance refreshes the views itself.
    const refreshOrWait = (tx: Transaction) => this.refreshOrWait(tx, before);
    while (!refreshedAt) refreshedAt = await this.database.system(refreshOrWait, MAX_REFRESH_SECONDS * 1000);
    const ended = performance.now();
    this.notBefore = ended + PAUSE_FACTOR * (ended - began);
    return refreshedAt;
  }

  /** @returns undefined if it waited for another instance's refresh, which failed */
  private async refreshOrWait(tx: Transaction, before: ViewState | undefined): Promise<Date | undefined> {
    await tx.query(`SET LOCAL lock_timeout = '${MAX_REFRESH_SECONDS}s'`);
    const lock = await tx.one<{ locked: boolean; now: Date }>(
      'SELECT pg_try_advisory_xact_lock($1) AS locked, now() AS now',
      [REFRESH_LOCK],
    );
    if (lock?.locked) {
      await tx.query('SELECT refresh_analytics()');
      return lock.now;
    }
    await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [REFRESH_LOCK]);
    const after = await readViewState(tx);
    return after?.refreshed_at.getTime() === before?.refreshed_at.getTime() ? undefined : after?.refreshed_at;
  }
}

interface ViewState {
  refreshed_at: Date;
}

const readViewState = (tx: Transaction): Promise<ViewState | undefined> =>
  tx.one('SELECT refreshed_at FROM view_states ORDER BY refreshed_at DESC LIMIT 1');
