import { setTimeout } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { Jobs } from '../platform/jobs/jobs';

const EVERY_QUARTER_OF_AN_HOUR = '*/15 * * * *';
/** Long enough for every call of a large installation; a run that takes longer counts as failed. */
const MOST_SECONDS = 900;
/** Any number will do, as long as all instances of the service agree on it. */
const REFRESH_LOCK = 7_304_512;

/** Makes the materialized views anew, while the old ones go on answering. */
@Injectable()
export class ViewRefresh implements OnModuleInit {
  private underWay: Promise<Date> | undefined;
  /** When this instance may begin with the next one, by the process's clock. */
  private notBefore = 0;

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    const refresh = async () => {
      await this.refresh();
    };
    const options = { expireInSeconds: MOST_SECONDS };
    this.jobs.schedule('analytics.refresh-views', EVERY_QUARTER_OF_AN_HOUR, refresh, options);
  }

  /**
   * Whoever asks while a refresh is under way, on whatever instance, gets that one.
   * @returns when the views began to be made
   */
  refresh(): Promise<Date> {
    this.underWay ??= this.refreshInTurn().finally(() => {
      this.underWay = undefined;
    });
    return this.underWay;
  }

  /** However often it is asked for, the database spends half of its time on other things. */
  private async refreshInTurn(): Promise<Date> {
    await setTimeout(Math.max(0, this.notBefore - performance.now()));
    const began = performance.now();
    const before = await this.database.system(stateOf);
    let made: Date | undefined;
    // Whom somebody else's refresh was to serve tries again if that one failed.
    while (!made) made = await this.database.system((tx) => this.refreshOrWait(tx, before));
    this.notBefore = 2 * performance.now() - began;
    return made;
  }

  /** @returns undefined where somebody else's refresh was waited for in vain */
  private async refreshOrWait(tx: Transaction, before: State | undefined): Promise<Date | undefined> {
    await tx.query(`SET LOCAL lock_timeout = '${MOST_SECONDS}s'`);
    const mine = await tx.one<{ locked: boolean; now: Date }>(
      'SELECT pg_try_advisory_xact_lock($1) AS locked, now() AS now',
      [REFRESH_LOCK],
    );
    if (mine?.locked) {
      await tx.query('SELECT refresh_analytics()');
      return mine.now;
    }
    await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [REFRESH_LOCK]);
    const after = await stateOf(tx);
    return after?.refreshed_at.getTime() === before?.refreshed_at.getTime() ? undefined : after?.refreshed_at;
  }
}

interface State {
  refreshed_at: Date;
}

const stateOf = (tx: Transaction): Promise<State | undefined> =>
  tx.one('SELECT refreshed_at FROM view_states ORDER BY refreshed_at DESC LIMIT 1');
