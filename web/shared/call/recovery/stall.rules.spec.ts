import { isAlive, NOT_ALIVE, updateLiveness } from './stall.rules';

describe('isAlive', () => {
  const heard = { received: 5, lastAt: 1000 };

  it.each([
    ['media within 3 s', heard, true, false, 3900, true],
    ['no media for 3 s', heard, true, false, 4000, false],
    ['no media for 1.2 s after a new connection of the socket', heard, true, true, 2200, false],
    ['media within 1.2 s after it', heard, true, true, 2100, true],
    ['ICE checks alone, within 8 s', heard, false, true, 8900, true],
    ['no ICE checks for 8 s', heard, false, false, 9000, false],
    ['nothing ever', NOT_ALIVE, true, false, 0, false],
  ])('%s', (_, liveness, expectsMedia, isSuspect, now, alive) => {
    expect(isAlive(liveness, expectsMedia, isSuspect, now)).toBe(alive);
  });
});

describe('updateLiveness', () => {
  it('keeps the time at which the counter last grew', () => {
    const first = updateLiveness(NOT_ALIVE, { received: 10, at: 1000 });
    expect(first).toEqual({ received: 10, lastAt: 1000 });
    expect(updateLiveness(first, { received: 10, at: 2000 })).toEqual(first);
    expect(updateLiveness(first, { received: 11, at: 2000 }).lastAt).toBe(2000);
  });

  it('takes a smaller counter, of another candidate pair, for no sign of life', () => {
    const smaller = updateLiveness({ received: 10, lastAt: 1000 }, { received: 3, at: 2000 });
    expect(smaller).toEqual({ received: 3, lastAt: 1000 });
    expect(updateLiveness(smaller, { received: 4, at: 3000 }).lastAt).toBe(3000);
  });
});
