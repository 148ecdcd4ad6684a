import { LargeReads } from '../../../src/platform/database/connections/large-reads';
import type { TestApp } from '../test-app';

/** Begins a large read of the company, which leaves no place for another one. @returns a function that ends it */
export async function beginLargeRead({ get }: Pick<TestApp, 'get'>, tenantId: string): Promise<() => void> {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  void get(LargeReads).read(tenantId, () => {
    begun.resolve();
    return ended.promise;
  });
  await begun.promise;
  return ended.resolve;
}
