import type { AttemptResult } from './attempt-result';
import { decideRetry, disableReason, RETRY_SECONDS, retryAfterSeconds } from './delivery.rules';

const NOW = new Date('2026-01-31T12:00:00.000Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);
const outcome = (response_status: number | null, retry_after: string | null = null): AttemptResult => ({
  response_status,
  response_body: null,
  retry_after,
  error: null,
  duration_ms: 1,
});

/** Seconds until the next attempt, or the final status. */
const next = (given: AttemptResult, failures = 0, random = 0) => {
  const decision = decideRetry(given, failures, NOW, random);
  return decision.status === 'pending'
    ? (Number(decision.next_attempt_at) - Number(NOW)) / 1000
    : decision.status;
};

describe('an attempt', () => {
  it.each([
    [200, 'delivered'],
    [204, 'delivered'],
    [299, 'delivered'],
    [null, 5],
    [101, 5],
    [199, 5],
    [301, 5],
    [304, 5],
    [400, 5],
    [404, 5],
    [429, 5],
    [500, 5],
    [410, 'failed'],
  ])('with status %s leads to %s', (status, expected) => {
    expect(next(outcome(status))).toBe(expected);
  });

  it.each(RETRY_SECONDS.map((seconds, failures) => [failures, seconds]))(
    'after %i failures is retried in %i s, at most a tenth later',
    (failures, seconds) => {
      expect(next(outcome(500), failures, 0)).toBe(seconds);
      expect(next(outcome(500), failures, 1)).toBeCloseTo(seconds * 1.1, 6);
    },
  );

  it('that is the seventh failure is the last', () => {
    expect(next(outcome(500), RETRY_SECONDS.length)).toBe('failed');
    expect(next(outcome(503, '60'), RETRY_SECONDS.length)).toBe('failed');
    expect(next(outcome(200), RETRY_SECONDS.length)).toBe('delivered');
  });

  it.each([
    ['60', 60],
    ['1', 5],
    ['0', 5],
    ['86400', 86_400],
    ['9000000', 86_400],
    ['Sat, 31 Jan 2026 12:10:00 GMT', 600],
    ['Sat, 31 Jan 2026 11:00:00 GMT', 5],
    ['soon', 5],
    ['-60', 5],
    ['1.5', 5],
    ['99999999999999999999', 5],
  ])('is delayed by Retry-After: %s, but never made earlier: %i s', (header, expected) => {
    expect(next(outcome(429, header))).toBe(expected);
  });

  it.each([
    [null, undefined],
    ['2026-01-31', undefined],
    ['120', 120],
  ])('with Retry-After: %s waits %s seconds', (header, expected) => {
    expect(retryAfterSeconds(header, NOW)).toBe(expected);
  });
});

describe('a webhook is disabled', () => {
  const DAYS = 86_400;
  it.each([
    [410, 0, null, 'gone'],
    [410, 0, 1, 'gone'],
    [200, 6, 30 * DAYS, undefined],
    [500, 3, 3 * DAYS, 'failing'],
    [null, 6, 30 * DAYS, 'failing'],
    [500, 3, 3 * DAYS - 1, undefined],
    // The first attempts of a delivery, a week after the last one: this may be a short outage.
    [500, 2, 7 * DAYS, undefined],
    [500, 6, null, undefined],
  ])(
    'after status %s and %i earlier failures of the delivery, failing for %s s: %s',
    (status, failures, seconds, expected) => {
      const since = seconds === null ? null : ago(seconds);
      expect(disableReason(outcome(status), failures, since, NOW)).toBe(expected);
    },
  );
});
