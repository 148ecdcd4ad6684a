import { durationParts, secondsIn } from './duration-parts';

describe('a time span', () => {
  it.each([
    ['', { minutes: '', seconds: '' }],
    [0, { minutes: 0, seconds: 0 }],
    [30, { minutes: 0, seconds: 30 }],
    [1800, { minutes: 30, seconds: 0 }],
    [5405, { minutes: 90, seconds: 5 }],
  ] as const)('of %j seconds has the parts %j', (seconds, parts) => {
    expect(durationParts(seconds)).toEqual(parts);
    expect(secondsIn(parts)).toBe(seconds);
  });

  it.each([
    [{ minutes: '', seconds: 90 }, 90],
    [{ minutes: 2, seconds: '' }, 120],
    [{ minutes: 1, seconds: 75 }, 135],
  ] as const)('that is typed as %j has %i seconds', (parts, seconds) => {
    expect(secondsIn(parts)).toBe(seconds);
  });
});
