import { InFlightLimiter } from './in-flight-limiter';

describe('InFlightLimiter', () => {
  it('gives one tenant 40 places, and all tenants together 200', () => {
    const limiter = new InFlightLimiter();
    const wanted = Array.from({ length: 11 }, () => limiter.acquire('A', 4));
    expect(wanted).toEqual([...Array<number>(10).fill(4), 0]);
    for (const tenant of ['B', 'C', 'D', 'E']) expect(limiter.acquire(tenant, 40)).toBe(40);
    expect(limiter.acquire('F', 4)).toBe(0);
    limiter.release('A', 3);
    expect(limiter.acquire('F', 4)).toBe(3);
    expect(limiter.acquire('A', 4)).toBe(0);
    limiter.release('B', 40);
    expect(limiter.acquire('A', 4)).toBe(3);
  });

  it('is idle once all work has ended, including work that began meanwhile', async () => {
    const limiter = new InFlightLimiter();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    limiter.track(first.promise.then(() => limiter.track(second.promise)));
    let isIdle = false;
    const idle = limiter.whenIdle().then(() => (isIdle = true));
    first.resolve();
    await first.promise;
    await new Promise(setImmediate);
    expect(isIdle).toBe(false);
    second.resolve();
    await idle;
    expect(isIdle).toBe(true);
  });
});
