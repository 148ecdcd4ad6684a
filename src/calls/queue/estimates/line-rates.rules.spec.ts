import { NO_OBSERVATIONS } from './decaying-mean.rules';
import { abandonmentRate, meanHandleTime, meanOfferLatency } from './line-rates.rules';

const calls = (weight: number, mean: number) => ({ sum: weight * mean, weight });

describe('meanHandleTime', () => {
  it.each([
    { case: 'no calls', department: calls(0, 0), hour: calls(0, 0), seconds: 180 },
    { case: 'five calls of the department', department: calls(5, 300), hour: calls(0, 0), seconds: 240 },
    { case: 'many calls of the department', department: calls(1e9, 300), hour: calls(0, 0), seconds: 300 },
    { case: '200 other calls of the hour', department: calls(1e9, 300), hour: calls(200, 400), seconds: 350 },
    {
      case: 'many other calls of the hour',
      department: calls(1e9, 300),
      hour: calls(1e9, 400),
      seconds: 400,
    },
  ])('is $seconds s with $case', ({ department, hour, seconds }) => {
    expect(meanHandleTime(department, hour)).toBeCloseTo(seconds, 3);
  });

  it('is that of the department for an hour without calls', () => {
    expect(meanHandleTime(calls(15, 300))).toBe(270);
  });
});

describe('abandonmentRate', () => {
  it.each([
    { case: 'nothing is known', left: 0, waited: 0, mean: 1800 },
    { case: 'κ was waited and as many left as θ₀ says', left: 12, waited: 21_600, mean: 1800 },
    { case: 'κ was waited and nobody left', left: 0, waited: 21_600, mean: 3600 },
    { case: 'much was waited', left: 1e6, waited: 1.2e9, mean: 1200 },
  ])('is one customer in $mean s if $case', ({ left, waited, mean }) => {
    expect(1 / abandonmentRate({ sum: left, weight: waited })).toBeCloseTo(mean, 0);
  });
});

describe('meanOfferLatency', () => {
  it('is 10 s, and then the mean', () => {
    expect(meanOfferLatency(NO_OBSERVATIONS)).toBe(10);
    expect(meanOfferLatency(calls(5, 4))).toBe(7);
    expect(meanOfferLatency(calls(1e9, 4))).toBeCloseTo(4, 5);
  });
});
