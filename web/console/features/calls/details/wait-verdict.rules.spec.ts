import { isFirstWait, waitVerdict } from './wait-verdict.rules';

describe('waitVerdict', () => {
  it.each([
    [{ wait: 30, estimate: 60, range: { low: 30, high: 120 } }, 'as_said'],
    [{ wait: 29, estimate: 60, range: { low: 30, high: 120 } }, 'shorter'],
    [{ wait: 121, estimate: 60, range: { low: 30, high: 120 } }, 'longer'],
    [{ wait: 70, estimate: 12, range: null }, 'as_said'],
    [{ wait: 73, estimate: 12, range: null }, 'longer'],
    [{ wait: 280, estimate: 600, range: null }, 'shorter'],
    [{ wait: 900, estimate: 600, range: null }, 'as_said'],
  ])('of %j is %s', (waited, verdict) => {
    expect(waitVerdict(waited)).toBe(verdict);
  });
});

it.each([
  ['a call that waits', { status: 'queued', wait_time: null }, true],
  ['a call that waits again after a transfer', { status: 'queued', wait_time: 40 }, false],
  ['a call that was answered', { status: 'active', wait_time: 40 }, false],
])('the first wait of %s', (_, call, expected) => {
  expect(isFirstWait(call)).toBe(expected);
});
