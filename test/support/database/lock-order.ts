import { Database } from '../../../src/platform/database/database';
import type { TestTenant } from '../builders';
import type { TestApp } from '../test-app';
import { until } from '../until';
import { countWaitersFor } from './lock-waiters';

/**
 * Starts the steps one after the other while `statement` holds a lock: each one must wait for it, or end, before
 * the next one starts. Then releases the lock.
 * @param value the statement's only parameter
 * @returns the results of the steps
 */
export async function startWaiting<T>(
  test: TestApp,
  tenant: TestTenant,
  [statement, value]: [statement: string, value: string],
  steps: (() => Promise<T>)[],
): Promise<T[]> {
  const results: Promise<T>[] = [];
  await test.get(Database).tenant(tenant.id, async (tx) => {
    await tx.query(statement, [value]);
    const [holder] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    let ended = 0;
    for (const step of steps) {
      const count = () => {
        ended += 1;
      };
      const result = step();
      result.then(count, count);
      results.push(result);
      await until(async () => ended + (await countWaitersFor(test, holder?.pid ?? 0)) >= results.length);
    }
  });
  return Promise.all(results);
}

/** Makes each test of the file fail if a transaction of the applications was run again, as after a deadlock. */
export function expectNoRetries(apps: () => TestApp[]): void {
  let spies: jest.SpyInstance[];
  beforeEach(() => {
    spies = apps().map((test) => jest.spyOn(test.get(Database)['logger'], 'warn'));
  });
  // PostgreSQL rolls back one of the transactions of a deadlock, which is retried with a warning.
  afterEach(() => {
    const warnings = spies.flatMap(({ mock }) => mock.calls.map(([message]: unknown[]) => String(message)));
    for (const spy of spies) spy.mockRestore();
    expect(warnings.filter((message: string) => message.includes('retried'))).toEqual([]);
  });
}
