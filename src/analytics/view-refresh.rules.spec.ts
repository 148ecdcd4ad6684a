import { remainingPauseMs } from './view-refresh.rules';

describe('remainingPauseMs', () => {
  it.each([
    ['nine times the duration when the refresh ends', 1000, 1000, 9000],
    ['1 ms just before the end of the pause', 1000, 9999, 1],
    ['nothing at the end of the pause', 1000, 10_000, 0],
    ['nothing after the pause', 1000, 20_000, 0],
    ['nothing after a refresh of which no duration is known', 0, 500, 0],
  ])('returns %s', (_, durationMs, ageMs, expected) => {
    expect(remainingPauseMs(durationMs, ageMs)).toBe(expected);
  });
});
