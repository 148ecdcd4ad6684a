import { formatDuration } from './duration';

describe('formatDuration', () => {
  it.each([
    [0, '0:00'],
    [-5000, '0:00'],
    [9999, '0:09'],
    [245_000, '4:05'],
    [3_599_000, '59:59'],
    [3_845_000, '1:04:05'],
  ])('%p ms is %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });
});
