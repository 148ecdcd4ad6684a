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
      left_calls: 0,
      dropped_calls: 0,
      answered_calls: 0,
      average_wait_time: null,
      longest_wait_time: null,
      wait_estimate_error: null,
      average_duration: null,
      average_handle_time: null,
      service_level: null,
      abandonment_rate: null,
      average_rating: null,
      ratings: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
    });
  });

  it.each([
    [
      'answered: those that were started, whatever their state',
      { active_calls: 2, completed_calls: 5, abandoned_calls: 1, answered_calls: 6 },
      { answered_calls: 6 },
    ],
    [
      'service level: answered in time ÷ (answered + abandoned late)',
      { answered_calls: 9, answered_in_time: 6, abandoned_calls: 4, abandoned_late: 1 },
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
    [
      'abandonment rate: with calls that were left after the service level',
      { total_calls: 4, cancelled_calls: 2, left_calls: 1, abandoned_calls: 1 },
      { abandonment_rate: 0.5, cancelled_calls: 2 },
    ],
    ['average wait of answered calls', { answered_calls: 3, answer_wait: 100 }, { average_wait_time: 33.3 }],
    [
      'average error of the estimate for answered calls',
      { answered_calls: 3, told_calls: 2, wait_estimate_error: 25 },
      { wait_estimate_error: 12.5 },
    ],
    [
      'average duration of the calls that have one',
      { completed_calls: 3, calls_with_duration: 2, duration: 601 },
      { average_duration: 300.5, average_handle_time: null },
    ],
    [
      'average handle time of the answered calls that have ended',
      { answered_calls: 4, calls_with_duration: 2, duration: 601, handled_calls: 3, handle_time: 1000 },
      { average_duration: 300.5, average_handle_time: 333.3 },
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
