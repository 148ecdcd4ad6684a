import { MAX_ATTEMPTS, retryDelaySeconds } from './retry-delay';

describe('retryDelaySeconds', () => {
  it.each([
    [1, 0, 1],
    [2, 0, 4],
    [3, 0, 16],
    [6, 0, 1024],
    [7, 0, 3600],
    [9, 0, 3600],
    [1, 30, 30],
    [4, 30, 64],
    [1, 86_400, 3600],
    [1, Infinity, 3600],
  ])('after attempt %i with a Retry-After of %i is %i seconds', (attempts, retryAfter, seconds) => {
    expect(retryDelaySeconds(attempts, retryAfter)).toBe(seconds);
  });

  it('lets all attempts finish within four hours', () => {
    const delays = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => retryDelaySeconds(index + 1, 0));
    expect(delays.reduce((sum, delay) => sum + delay)).toBeLessThan(4 * 3600);
  });
});
