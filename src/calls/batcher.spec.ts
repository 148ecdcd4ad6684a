import { type RequestContext, requestContext } from '../platform/logging/request-context';
import { Batcher } from './batcher';

const contextOf = (connection: RequestContext['connection']): RequestContext => ({
  request_id: '1',
  address: null,
  connection,
});

describe('Batcher', () => {
  let batches: { key: string; items: number[] }[];
  let finish: (() => void)[];
  let batcher: Batcher<number, number>;

  beforeEach(() => {
    batches = [];
    finish = [];
    batcher = new Batcher(async (key, items) => {
      batches.push({ key, items });
      await new Promise<void>((resolve) => finish.push(resolve));
      return items.map((item) => item * 10);
    }, 3);
  });

  /** Ends the batch of this number, once it has begun. */
  async function finishBatch(number: number): Promise<void> {
    while (!finish[number]) await new Promise((resolve) => setTimeout(resolve, 1));
    finish[number]();
  }

  it('processes the first item at once, and those that arrive meanwhile together', async () => {
    const first = batcher.run('a', 1);
    const others = [2, 3, 4, 5].map((item) => batcher.run('a', item));
    expect(batches).toEqual([{ key: 'a', items: [1] }]);
    expect(['a', 'b'].map((key) => batcher.isBusy(key))).toEqual([true, false]);
    await finishBatch(0);
    expect(await first).toBe(10);
    await finishBatch(1);
    await finishBatch(2);
    expect(await Promise.all(others)).toEqual([20, 30, 40, 50]);
    expect(batches.map(({ items }) => items)).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('collects more items for a moment under load, and processes a single one at once', async () => {
    const first = batcher.run('a', 1);
    const others = [batcher.run('a', 2)];
    await finishBatch(0);
    await first;
    others.push(batcher.run('a', 3));
    await finishBatch(1);
    await Promise.all(others);
    expect(batches.map(({ items }) => items)).toEqual([[1], [2, 3]]);
    // A hundred pauses would take 2.5 s.
    const single = new Batcher<number, number>(async (_key, items) => items);
    const begin = performance.now();
    for (let time = 0; time < 100; time++) await single.run('a', time);
    expect(performance.now() - begin).toBeLessThan(2000);
  });

  it('handles each key independently', async () => {
    const results = [batcher.run('a', 1), batcher.run('b', 2)];
    expect(batches).toEqual([
      { key: 'a', items: [1] },
      { key: 'b', items: [2] },
    ]);
    for (const number of [0, 1]) await finishBatch(number);
    expect(await Promise.all(results)).toEqual([10, 20]);
  });

  it('fails the items of a batch that fails, and processes the next one', async () => {
    const failing = new Batcher<number, number>(async (_key, items) => {
      if (items.includes(1)) throw new Error('failed');
      return items;
    });
    const [first, second] = [failing.run('a', 1), failing.run('a', 2)];
    await expect(first).rejects.toThrow('failed');
    expect(await second).toBe(2);
  });

  it('does not delay the next batch by a result that takes longer', async () => {
    const slow = Promise.withResolvers<number>();
    const mixed = new Batcher<number, number>(async (_key, items) =>
      items.map((item) => (item === 1 ? slow.promise : item)),
    );
    const first = mixed.run('a', 1);
    expect(await mixed.run('a', 2)).toBe(2);
    slow.resolve(11);
    expect(await first).toBe(11);
  });

  it('waits for the database as the items do', async () => {
    const seen: RequestContext['connection'][] = [];
    const recording = new Batcher<number, number>(async (_key, items) => {
      seen.push(requestContext.getStore()?.connection);
      return items;
    });
    await Promise.all(
      (['public', 'reserved', undefined] as const).map((connection) =>
        requestContext.run(contextOf(connection), () => recording.run('a', 1)),
      ),
    );
    expect(seen).toEqual(['public', 'reserved', undefined]);
  });
});
