import { callFigures, NO_CALLS, quotient } from './figures';

const of = (sums: Partial<typeof NO_CALLS>) => callFigures({ ...NO_CALLS, ...sums });

describe('call figures', () => {
  it('without calls are zero, or null instead of a division by 0', () => {
    expect(of({})).toEqual({
      total_calls: 0,
      queued_calls: 0,
      assigned_calls: 0,
      active_calls: 0,
      completed_calls: 0,
      missed_calls: 0,
      cancelled_calls: 0,
      abandoned_calls: 0,
      answered_calls: 0,
      average_wait_time: null,
      longest_wait_time: null,
      wait_estimate_error: null,
      average_duration: null,
      service_level: null,
      abandonment_rate: null,
      average_rating: null,
      ratings: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
    });
  });

  it.each([
    ['answered: active and completed', { active_calls: 2, completed_calls: 5 }, { answered_calls: 7 }],
    [
      'service level: answered in time ÷ (answered + abandoned late)',
      { completed_calls: 8, active_calls: 1, answered_in_time: 6, abandoned_calls: 4, abandoned_late: 1 },
      { service_level: 0.6 },
    ],
    [
      'service level if all calls were abandoned late',
      { abandoned_calls: 2, abandoned_late: 2 },
      { service_level: 0 },
    ],
    ['service level if all calls were abandoned early', { abandoned_calls: 2 }, { service_level: null }],
    [
      'abandonment rate: abandoned ÷ offered',
      { total_calls: 3, abandoned_calls: 1 },
      { abandonment_rate: 0.3333 },
    ],
    ['average wait of answered calls', { completed_calls: 3, answer_wait: 100 }, { average_wait_time: 33.3 }],
    [
      'average error of the estimate for answered calls',
      { active_calls: 1, completed_calls: 1, wait_estimate_error: 25 },
      { wait_estimate_error: 12.5 },
    ],
    [
      'average handle time of the calls that have one',
      { completed_calls: 3, handled_calls: 2, handle_time: 601 },
      { average_duration: 300.5 },
    ],
    [
      'average rating',
      { rating_1: 1, rating_4: 1, rating_5: 1 },
      { average_rating: 3.33, ratings: { 1: 1, 2: 0, 3: 0, 4: 1, 5: 1 } },
    ],
  ])('%s', (_what, sums, expected) => {
    expect(of(sums)).toMatchObject(expected);
  });

  it.each([
    [1, 3, 4, 0.3333],
    [2, 3, 2, 0.67],
    [0, 5, 1, 0],
    [5, 0, 1, null],
  ])('%d ÷ %d with %d decimals is %d', (dividend, divisor, digits, expected) => {
    expect(quotient(dividend, divisor, digits)).toBe(expected);
  });
});
