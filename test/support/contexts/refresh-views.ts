import { Database } from '../../../src/platform/database/database';
import type { TestApp } from '../test-app';

/** Refreshes the report views, so that they contain all data, without the pause that follows a request to do so. */
export async function refreshViews(test: TestApp): Promise<void> {
  await test.get(Database).system((tx) => tx.query('SELECT refresh_analytics()'));
}
