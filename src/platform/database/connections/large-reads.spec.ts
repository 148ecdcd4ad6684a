import { setTimeout } from 'node:timers/promises';
import { LargeReads } from './large-reads';
import { ConnectionLimitError } from './semaphore';

describe('LargeReads', () => {
  it.each([
    [1, 5],
    [1, 10],
    [2, 20],
  ])(
    'allows a company %i at a time with a pool of %i, and another company one more',
    async (own, databasePoolSize) => {
      const reads = new LargeReads({ databasePoolSize });
      for (let n = 0; n < own; n++) await reads.acquire({ owner: 'first' });
      await expect(reads.acquire({ owner: 'first', waitMs: 1 })).rejects.toThrow(ConnectionLimitError);
      const other = reads.acquire({ owner: 'second', waitMs: 1 });
      if (databasePoolSize < 10) await expect(other).rejects.toThrow(ConnectionLimitError);
      else await other;
    },
  );

  it('lets a company rest for as long as its read took, and no other', async () => {
    const reads = new LargeReads({ databasePoolSize: 10 });
    const begin = performance.now();
    const timed = () => Promise.resolve(performance.now() - begin);
    await reads.read('first', () => setTimeout(50));
    const [next, other] = await Promise.all([reads.read('first', timed), reads.read('second', timed)]);
    expect(next).toBeGreaterThan(95);
    expect(other).toBeLessThan(next);
  });

  it('lets a company rest after a failure, too', async () => {
    const reads = new LargeReads({ databasePoolSize: 10 });
    const begin = performance.now();
    const failing = setTimeout(50).then(() => Promise.reject(new Error('cancelled')));
    await expect(reads.read('first', () => failing)).rejects.toThrow('cancelled');
    expect(await reads.read('first', () => Promise.resolve(performance.now() - begin))).toBeGreaterThan(95);
  });
});
