import { ViewRefresher } from '../../../src/analytics/view-refresher';
import type { TestApp } from '../test-app';
import { until } from '../until';

/** Refreshes the report views, after the pause that follows an earlier refresh, so that they contain all data. */
export async function refreshViews(test: TestApp): Promise<void> {
  const { rows } = await test.db.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const start = rows[0]?.now ?? new Date();
  await until(async () => (await test.get(ViewRefresher).refresh()) >= start);
}
