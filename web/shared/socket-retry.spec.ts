import { retryDelay, spread } from './socket-retry';

describe('retryDelay', () => {
  it.each([
    [0, 1, 1000],
    [1, 1, 2000],
    [4, 1, 16_000],
    [5, 1, 30_000],
    [50, 1, 30_000],
    [0, 0, 200],
    [50, 0, 200],
    [1, 0.5, 1100],
  ])('after %p refusals, with the random number %p: %p ms', (refusals, random, delay) => {
    expect(retryDelay(refusals, () => random)).toBe(delay);
  });
});

it('spread keeps at least half of a pause', () => {
  expect([0, 0.5, 1].map((random) => spread(1000, () => random))).toEqual([1000, 750, 500]);
});
