import { setTimeout } from 'node:timers/promises';
import { LargeReads } from './large-reads';

/** Ends with the test. */
const endless = () => new Promise<never>(() => {});
const REST_MS = 50;

/** The reads that have begun shortly after the companies asked for them. */
async function begunOf(reads: LargeReads, companies: string[]): Promise<string[]> {
  const begun: string[] = [];
  for (const company of companies)
    void reads.read(company, () => {
      begun.push(company);
      return endless();
    });
  await setTimeout(20);
  return begun;
}

describe('LargeReads', () => {
  it.each([
    [1, 5, 0],
    [1, 10, 1],
    [2, 20, 1],
  ])(
    'allows a company %i at a time with a pool of %i, and %i of another',
    async (own, databasePoolSize, others) => {
      const reads = new LargeReads({ databasePoolSize });
      expect(await begunOf(reads, ['first', 'first', 'first'])).toHaveLength(own);
      expect(await begunOf(reads, ['second'])).toHaveLength(others);
    },
  );

  it.each<[string, () => Promise<unknown>]>([
    ['a read', () => setTimeout(REST_MS)],
    ['a failure', () => setTimeout(REST_MS).then(() => Promise.reject(new Error('cancelled')))],
  ])('lets a company rest after %s for as long as it took, and no other', async (_name, work) => {
    // There is one place.
    const reads = new LargeReads({ databasePoolSize: 5 });
    await reads.read('first', work).catch(() => {});
    const order: string[] = [];
    const begin = performance.now();
    const next = reads.read('first', () => Promise.resolve(order.push('first')));
    await reads.read('second', () => Promise.resolve(order.push('second')));
    await next;
    expect(order).toEqual(['second', 'first']);
    expect(performance.now() - begin).toBeGreaterThan(REST_MS - 5);
  });
});
