import { Database } from '../../../src/platform/database/database';
import type { TestApp } from '../test-app';
import { oneTo } from './rows';

/** Runs `work` while other work holds `count` connections of the application's pool. */
export async function whileConnectionsAreHeld<T>(
  test: TestApp,
  count: number,
  work: () => Promise<T>,
): Promise<T> {
  const end = Promise.withResolvers<void>();
  const started = oneTo(count).map(() => Promise.withResolvers<void>());
  const holders = started.map(({ resolve }) =>
    test.get(Database).system(() => {
      resolve();
      return end.promise;
    }),
  );
  await Promise.all(started.map(({ promise }) => promise));
  try {
    return await work();
  } finally {
    end.resolve();
    await Promise.all(holders);
  }
}
