import { InFlightLimiter } from './in-flight-limiter';

describe('UnderWay', () => {
  it('gives one company 40 places, and all of them together 200', () => {
    const underWay = new InFlightLimiter();
    const wanted = Array.from({ length: 11 }, () => underWay.take('A', 4));
    expect(wanted).toEqual([...Array<number>(10).fill(4), 0]);
    for (const tenant of ['B', 'C', 'D', 'E']) expect(underWay.take(tenant, 40)).toBe(40);
    expect(underWay.take('F', 4)).toBe(0);
    underWay.giveBack('A', 3);
    expect(underWay.take('F', 4)).toBe(3);
    expect(underWay.take('A', 4)).toBe(0);
    underWay.giveBack('B', 40);
    expect(underWay.take('A', 4)).toBe(3);
  });

  it('is settled once everything is over, also what began meanwhile', async () => {
    const underWay = new InFlightLimiter();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    underWay.follow(first.promise.then(() => underWay.follow(second.promise)));
    let isSettled = false;
    const settled = underWay.settled().then(() => (isSettled = true));
    first.resolve();
    await first.promise;
    await new Promise(setImmediate);
    expect(isSettled).toBe(false);
    second.resolve();
    await settled;
    expect(isSettled).toBe(true);
  });
});
