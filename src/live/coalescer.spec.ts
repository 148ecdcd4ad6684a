import { EventEmitter, once } from 'node:events';
import { Coalescer } from './coalescer';

const PAUSE_MS = 250;
const add = (waiting: number, added: number) => waiting + added;

describe('the coalescer', () => {
  let done: { item: number; at: number }[];
  let coalescer: Coalescer<number>;

  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
    done = [];
    coalescer = new Coalescer(PAUSE_MS, async (item) => void done.push({ item, at: Date.now() }));
  });

  afterEach(() => jest.useRealTimers());

  it('works on the first change at once', () => {
    coalescer.schedule('a', 1, add);
    expect(done).toEqual([{ item: 1, at: 0 }]);
  });

  it('merges what arrives meanwhile into one run after the pause', async () => {
    for (const item of [1, 2, 3, 4]) coalescer.schedule('a', item, add);
    await jest.advanceTimersByTimeAsync(PAUSE_MS - 1);
    expect(done).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(done).toEqual([
      { item: 1, at: 0 },
      { item: 9, at: PAUSE_MS },
    ]);
  });

  it('runs at most four times a second under a steady stream, and loses nothing of it', async () => {
    for (let ms = 0; ms < 2000; ms += 10) {
      coalescer.schedule('a', 1, add);
      await jest.advanceTimersByTimeAsync(10);
    }
    await jest.advanceTimersByTimeAsync(PAUSE_MS);
    expect(done.length).toBeLessThanOrEqual(9);
    expect(done.reduce((sum, { item }) => sum + item, 0)).toBe(200);
    for (const [index, { at }] of done.entries()) {
      if (index > 0) expect(at - (done[index - 1]?.at ?? 0)).toBeGreaterThanOrEqual(PAUSE_MS);
    }
  });

  it('keeps keys apart', () => {
    coalescer.schedule('a', 1, add);
    coalescer.schedule('b', 2, add);
    expect(done.map(({ item }) => item)).toEqual([1, 2]);
  });

  it('starts at once again after a quiet time', async () => {
    coalescer.schedule('a', 1, add);
    await jest.advanceTimersByTimeAsync(1000);
    coalescer.schedule('a', 2, add);
    expect(done.at(-1)).toEqual({ item: 2, at: 1000 });
  });

  it('works on a change that arrives during the work', async () => {
    const seen: number[] = [];
    const slow: Coalescer<number> = new Coalescer(PAUSE_MS, async (item) => {
      if (seen.push(item) === 1) slow.schedule('a', 2, add);
    });
    slow.schedule('a', 1, add);
    await jest.advanceTimersByTimeAsync(2 * PAUSE_MS);
    expect(seen).toEqual([1, 2]);
  });

  it('takes nothing more once stopped, and waits for what is under way', async () => {
    const gate = new EventEmitter();
    let finished = false;
    const slow = new Coalescer<number>(PAUSE_MS, async (item) => {
      done.push({ item, at: Date.now() });
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
    expect(done.map(({ item }) => item)).toEqual([1]);
  });
});
