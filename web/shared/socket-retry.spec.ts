import { retryDelay } from './socket-retry';

describe('retryDelay', () => {
  it.each([
    [0, 0, 1000],
    [1, 0, 2000],
    [4, 0, 16_000],
    [5, 0, 30_000],
    [50, 0, 30_000],
    [0, 1, 750],
  ])('after %p refusals, with the random number %p: %p ms', (refusals, random, delay) => {
    expect(retryDelay(refusals, () => random)).toBe(delay);
  });
});
