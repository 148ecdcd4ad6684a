import { setTimeout } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { Jobs } from '../platform/jobs/jobs';
import { PAUSE_FACTOR, remainingPauseMs } from './view-refresh.rules';

const QUARTER_HOURLY = '*/15 * * * *';
/** Enough for the calls of a large installation. A longer run counts as failed. */
const MAX_REFRESH_SECONDS = 900;
/** Proxies and the service itself close connections without a byte for some time. */
const MAX_WAIT_MS = 30_000;
/** An arbitrary key, the same on all instances. */
const REFRESH_LOCK = 7_304_512;

/** Jobs that refresh the views after the pause. Waiting jobs are stored under this name, so renaming it would lose them. */
const PAUSED_QUEUE = 'analytics.refresh-views-after-pause';

/** A request that found the views paused. */
interface PausedRefresh {
  /** The last refresh at that time. */
  refreshed_at: string;
}

/** Refreshes the materialized views. The previous contents are served until then. */
@Injectable()
export class ViewRefresher implements OnModuleInit {
  private running: Promise<Date> | undefined;

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    // The job may have to wait for the pause after a refresh that a request caused.
    const options = { expireInSeconds: (1 + PAUSE_FACTOR) * MAX_REFRESH_SECONDS };
    this.jobs.schedule('analytics.refresh-views', QUARTER_HOURLY, () => this.refreshAfterPause(), options);
    this.jobs.handle<PausedRefresh>(PAUSED_QUEUE, (paused) => this.catchUp(paused), {
      ...options,
      isExclusive: true,
    });
  }

  /**
   * Refreshes the views, after the rest of the pause that follows the last refresh on any instance, or waits for the
   * refresh that is running on this or another instance. If the pause is longer than 30 s, the views stay as they are, and
   * a job refreshes them at its end.
   * @returns when the last refresh began
   */
  refresh(): Promise<Date> {
    this.running ??= this.refreshUnlessPaused().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async refreshAfterPause(): Promise<void> {
    const last = await this.database.system(readLastRefresh);
    await setTimeout(pauseAfter(last), undefined, { ref: false });
    await this.refresh();
  }

  /** Refreshes the views, unless that has been done since the request. */
  private async catchUp({ refreshed_at }: PausedRefresh): Promise<void> {
    const last = await this.database.system(readLastRefresh);
    if (last?.refreshed_at.toISOString() === refreshed_at) await this.refreshAfterPause();
  }

  /** Writes one job for the end of a pause, however many requests there are and on whichever instances. */
  private async scheduleRefresh({ refreshed_at }: LastRefresh, pauseMs: number): Promise<void> {
    const paused: PausedRefresh = { refreshed_at: refreshed_at.toISOString() };
    await this.database.system((tx) =>
      this.jobs.enqueue(tx, PAUSED_QUEUE, paused, {
        key: paused.refreshed_at,
        afterSeconds: Math.ceil(pauseMs / 1000),
      }),
    );
  }

  private async refreshUnlessPaused(): Promise<Date> {
    const before = await this.database.system(readLastRefresh);
    const pauseMs = pauseAfter(before);
    if (before && pauseMs > MAX_WAIT_MS) {
      await this.scheduleRefresh(before, pauseMs);
      return before.refreshed_at;
    }
    await setTimeout(pauseMs, undefined, { ref: false });
    let refreshedAt: Date | undefined;
    // If another instance's refresh fails, this instance refreshes the views itself.
    const refreshOrWait = (tx: Transaction) => this.refreshOrWait(tx, before);
    while (!refreshedAt) refreshedAt = await this.database.system(refreshOrWait, MAX_REFRESH_SECONDS * 1000);
    return refreshedAt;
  }

  /** @returns undefined if it waited for another instance's refresh, which failed */
  private async refreshOrWait(tx: Transaction, before: LastRefresh | undefined): Promise<Date | undefined> {
    await tx.query(`SET LOCAL lock_timeout = '${MAX_REFRESH_SECONDS}s'`);
    const lock = await tx.one<{ locked: boolean; now: Date }>(
      'SELECT pg_try_advisory_xact_lock($1) AS locked, now() AS now',
      [REFRESH_LOCK],
    );
    if (lock?.locked) {
      const last = await readLastRefresh(tx);
      // Another instance has refreshed the views since the request.
      if (last && last.refreshed_at.getTime() !== before?.refreshed_at.getTime()) return last.refreshed_at;
      // It records its own time and duration.
      await tx.query('SELECT refresh_analytics()');
      return lock.now;
    }
    await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [REFRESH_LOCK]);
    const after = await readLastRefresh(tx);
    const isNew = after?.refreshed_at.getTime() !== before?.refreshed_at.getTime();
    return isNew ? after?.refreshed_at : undefined;
  }
}

/** The last refresh by any instance. */
interface LastRefresh {
  refreshed_at: Date;
  duration_ms: number;
  /** The time since `refreshed_at` by the database's clock. */
  age_ms: number;
}

const readLastRefresh = (tx: Transaction): Promise<LastRefresh | undefined> =>
  tx.one(
    `SELECT refreshed_at, duration_ms, extract(epoch FROM clock_timestamp() - refreshed_at)::float8 * 1000 AS age_ms
     FROM view_refreshes`,
  );

const pauseAfter = (last: LastRefresh | undefined): number =>
  last ? remainingPauseMs(last.duration_ms, last.age_ms) : 0;
