import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refreshReportViews } from './0046-report-views';

/** Records the refresh in its transaction, whichever instance, release or operator makes it. */
const RECORD = `
    INSERT INTO view_refreshes (refreshed_at, duration_ms)
      VALUES (now(), extract(epoch FROM clock_timestamp() - now()) * 1000)
      ON CONFLICT (id) DO UPDATE SET refreshed_at = EXCLUDED.refreshed_at, duration_ms = EXCLUDED.duration_ms;`;

/**
 * When the last refresh of the report views began, and how long it took: the pause that follows it depends on both. The
 * materialized views have only the former, because they cannot know when their own refresh will end.
 */
export class ViewRefreshes1780000000055 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE view_refreshes (
        id boolean DEFAULT true CONSTRAINT view_refreshes_pkey PRIMARY KEY,
        refreshed_at timestamptz NOT NULL,
        duration_ms float8 NOT NULL,
        CONSTRAINT view_refreshes_single_check CHECK (id)
      );
      INSERT INTO view_refreshes (refreshed_at, duration_ms)
        SELECT max(refreshed_at), 0 FROM analytics.view_states HAVING count(*) > 0;
      ${refreshReportViews(RECORD)}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${refreshReportViews()}
      DROP TABLE view_refreshes;
    `);
  }
}
