import { EventEmitter, once } from 'node:events';
import { Coalescer } from './coalescer';

const PAUSE_MS = 250;
const add = (waiting: number, added: number) => waiting + added;

describe('Coalescer', () => {
  let runs: { item: number; at: number }[];
  let coalescer: Coalescer<number>;

  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
    runs = [];
    coalescer = new Coalescer(PAUSE_MS, async (item) => void runs.push({ item, at: Date.now() }));
  });

  afterEach(() => jest.useRealTimers());

  it('processes the first change immediately', () => {
    coalescer.schedule('a', 1, add);
    expect(runs).toEqual([{ item: 1, at: 0 }]);
  });

  it('merges changes that arrive during the pause into one run after it', async () => {
    for (const item of [1, 2, 3, 4]) coalescer.schedule('a', item, add);
    await jest.advanceTimersByTimeAsync(PAUSE_MS - 1);
    expect(runs).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(runs).toEqual([
      { item: 1, at: 0 },
      { item: 9, at: PAUSE_MS },
    ]);
  });

  it('runs at most four times a second under a steady stream and loses no change', async () => {
    for (let ms = 0; ms < 2000; ms += 10) {
      coalescer.schedule('a', 1, add);
      await jest.advanceTimersByTimeAsync(10);
    }
    await jest.advanceTimersByTimeAsync(PAUSE_MS);
    expect(runs.length).toBeLessThanOrEqual(9);
    expect(runs.reduce((sum, { item }) => sum + item, 0)).toBe(200);
    for (const [index, { at }] of runs.entries()) {
      if (index > 0) expect(at - (runs[index - 1]?.at ?? 0)).toBeGreaterThanOrEqual(PAUSE_MS);
    }
  });

  it('handles each key independently', () => {
    coalescer.schedule('a', 1, add);
    coalescer.schedule('b', 2, add);
    expect(runs.map(({ item }) => item)).toEqual([1, 2]);
  });

  it('runs immediately again after a quiet period', async () => {
    coalescer.schedule('a', 1, add);
    await jest.advanceTimersByTimeAsync(1000);
    coalescer.schedule('a', 2, add);
    expect(runs.at(-1)).toEqual({ item: 2, at: 1000 });
  });

  it('processes a change that arrives during a run', async () => {
    const processed: number[] = [];
    const slow: Coalescer<number> = new Coalescer(PAUSE_MS, async (item) => {
      if (processed.push(item) === 1) slow.schedule('a', 2, add);
    });
    slow.schedule('a', 1, add);
    await jest.advanceTimersByTimeAsync(2 * PAUSE_MS);
    expect(processed).toEqual([1, 2]);
  });

  it('accepts no changes once stopped, and waits for the run in progress', async () => {
    const gate = new EventEmitter();
    let finished = false;
    const slow = new Coalescer<number>(PAUSE_MS, async (item) => {
      runs.push({ item, at: Date.now() });
      await once(gate, 'open');
      finished = true;
    });
    slow.schedule('a', 1, add);
    slow.schedule('a', 2, add);
    const stopped = slow.stop();
    slow.schedule('b', 3, add);
    gate.emit('open');
    await jest.advanceTimersByTimeAsync(PAUSE_MS);
    await stopped;
    expect(finished).toBe(true);
    expect(runs.map(({ item }) => item)).toEqual([1]);
  });
});
