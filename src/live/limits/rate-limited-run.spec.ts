import { RateLimitedRun } from './rate-limited-run';

/** Work that returns how often it has run, and when it began. */
function counter() {
  const begins: number[] = [];
  const work = async () => {
    begins.push(performance.now());
    return begins.length;
  };
  return { begins, work };
}

const fail = () => Promise.reject(new Error('failed'));

describe('RateLimitedRun', () => {
  it('runs for each caller up to the burst, and then once for all who wait', async () => {
    const { work } = counter();
    const limited = new RateLimitedRun<number>(4, 3);
    const results = await Promise.all(Array.from({ length: 10 }, () => limited.run(work)));
    expect(results).toEqual([1, 2, 3, 4, 4, 4, 4, 4, 4, 4]);
  });

  it('begins the shared run after all who share it have asked', async () => {
    const { begins, work } = counter();
    // So slow that a busy machine does not lead to a token between two calls.
    const limited = new RateLimitedRun<number>(4, 1);
    await limited.run(work);
    const shared = limited.run(work);
    const asked = performance.now();
    expect(await limited.run(work)).toBe(await shared);
    expect(begins[1]).toBeGreaterThanOrEqual(asked);
    await limited.run(work);
    expect((begins[2] ?? 0) - (begins[1] ?? 0)).toBeGreaterThan(100);
  });

  it('fails for all who share a run that fails, and not afterwards', async () => {
    const limited = new RateLimitedRun<number>(100, 1);
    await limited.run(counter().work);
    const shared = [limited.run(fail), limited.run(fail)];
    for (const result of shared) await expect(result).rejects.toThrow('failed');
    await expect(limited.run(async () => 7)).resolves.toBe(7);
  });
});
