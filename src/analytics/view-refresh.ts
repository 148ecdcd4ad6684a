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

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    const options = { expireInSeconds: MOST_SECONDS };
    const keepUp = () => this.keepUp();
    this.jobs.schedule('analytics.refresh-views', EVERY_QUARTER_OF_AN_HOUR, keepUp, options);
  }

  /** Nights are quiet: the views are made anew only if something has happened since. */
  async keepUp(): Promise<void> {
    const [news] = await this.database.readSystem<[{ anything: boolean }]>([
      {
        text: `SELECT EXISTS (SELECT FROM domain_events WHERE occurred_at >=
                 (SELECT COALESCE(max(refreshed_at), '-infinity') FROM view_states) - interval '1 minute') AS anything`,
      },
    ]);
    if (news[0]?.anything) await this.refresh();
  }

  /**
   * Whoever asks while a refresh is under way, on whatever instance, gets that one.
   * @returns when the views began to be made
   */
  refresh(): Promise<Date> {
    this.underWay ??= this.database
      .system((tx) => this.refreshIn(tx))
      .finally(() => {
        this.underWay = undefined;
      });
    return this.underWay;
  }

  private async refreshIn(tx: Transaction): Promise<Date> {
    await tx.query(`SET LOCAL lock_timeout = '${MOST_SECONDS}s'`);
    const mine = await tx.one<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS locked', [
      REFRESH_LOCK,
    ]);
    if (mine?.locked) await tx.query('SELECT refresh_analytics()');
    else await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [REFRESH_LOCK]);
    const state = await tx.one<{ refreshed_at: Date }>(
      'SELECT max(refreshed_at) AS refreshed_at FROM view_states',
    );
    if (!state?.refreshed_at) throw new Error('The views were refreshed and are empty');
    return state.refreshed_at;
  }
}
