import { ApiError } from './api-error';
import { asApiError, delayBefore, isPassing, retry } from './retry';

const failure = (status: number, code = 'x', retry_after: number | null = null) =>
  new ApiError({ status, code, detail: '', retry_after });

const unreachable = () => Promise.reject(failure(0));

describe('retry', () => {
  it.each([
    [0, 'network', 100, true],
    [429, 'rate_limited', 100, true],
    [503, 'unavailable', 100, true],
    [500, 'internal_error', 3, true],
    [500, 'internal_error', 4, false],
    [422, 'queue_full', 1, false],
    [404, 'link_used', 1, false],
    [401, 'token_expired', 1, false],
  ])('after %d %s, failed %d times: %s', (status, code, failures, expected) => {
    expect(isPassing(failure(status, code), failures)).toBe(expected);
  });

  it('waits up to twice as long each time, and adds that to what the service asks for', () => {
    const delays = [1, 2, 3, 9].map((failures) => delayBefore(failure(0), failures, () => 1));
    expect(delays).toEqual([1000, 2000, 4000, 30_000]);
    expect(delayBefore(failure(429, 'rate_limited', 45), 1, () => 0)).toBe(45_200);
    expect(delayBefore(failure(429, 'rate_limited', 45), 2, () => 1)).toBe(47_000);
  });

  it.each([
    ['503 with the same Retry-After', failure(503, 'unavailable', 3)],
    ['429 with the same Retry-After', failure(429, 'rate_limited', 30)],
    ['a lost network', failure(0)],
  ])('spreads the pages that were refused together by %s', (_title, problem) => {
    const attempts = Array.from({ length: 1000 }, () => delayBefore(problem, 1));
    const tenths = new Map<number, number>();
    for (const ms of attempts) tenths.set(Math.floor(ms / 100), (tenths.get(Math.floor(ms / 100)) ?? 0) + 1);
    // Of 1,000 pages, about 125 come back in any tenth of a second.
    expect(Math.max(...tenths.values())).toBeLessThan(200);
  });

  it('repeats the request until it is answered, and tells when', async () => {
    const answers = [failure(0), failure(503), 'joined'];
    const told: number[] = [];
    const result = await retry(
      async () => {
        const answer = answers.shift();
        if (answer instanceof Error) throw answer;
        return answer;
      },
      { pause: async () => {}, onRetry: ({ at }) => told.push(at), now: () => 0 },
    );
    expect(result).toBe('joined');
    expect(told).toHaveLength(2);
    // At random, up to twice as much each time.
    for (const [index, at] of told.entries()) expect(at).toBeLessThanOrEqual(1000 * 2 ** index);
  });

  it('stops at an answer that another attempt does not change', async () => {
    let count = 0;
    const request = async () => {
      count++;
      throw failure(422, 'queue_full');
    };
    await expect(retry(request, { pause: async () => {} })).rejects.toMatchObject({ code: 'queue_full' });
    expect(count).toBe(1);
  });

  it('stops when the user does not want to wait', async () => {
    const abort = new AbortController();
    const pause = async () => abort.abort();
    await expect(retry(unreachable, { pause, signal: abort.signal })).rejects.toThrow(/abort/i);
  });

  it('takes any other failure for a lost network, unless it has a code', () => {
    expect(asApiError(new TypeError('Failed to fetch')).code).toBe('network');
    expect(asApiError(Object.assign(new Error(''), { code: 'timeout' })).code).toBe('timeout');
  });
});
