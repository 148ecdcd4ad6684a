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
});
