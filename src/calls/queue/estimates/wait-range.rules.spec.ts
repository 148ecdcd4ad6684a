import fc from 'fast-check';
import { type EstimateOutcome, NO_RATIOS, rangeOf, spokenRange, waitRatios } from './wait-range.rules';

/** Calls with the same estimate, which waited 1 … 100 % of twice as long. */
const outcomes = (
  estimated: number,
  { idle = false, answered = true, count = 100 } = {},
): EstimateOutcome[] =>
  Array.from({ length: count }, (_, index) => ({
    estimated,
    idle,
    waited: (2 * estimated * (index + 1)) / count,
    answered,
  }));

describe('waitRatios', () => {
  it('are the quantiles of actual ÷ estimated, by class', () => {
    const calls = [
      ...outcomes(30),
      ...outcomes(200),
      ...outcomes(600).map((call) => ({ ...call, waited: 600 })),
    ];
    const { short, medium, long, idle } = waitRatios(calls);
    expect(short).toEqual({ low: 1, high: expect.closeTo(1.8, 10) });
    expect(medium).toEqual(short);
    expect(long).toEqual({ low: 1, high: 1 });
    expect(idle).toBeNull();
  });

  it('are those of all busy times for a class of which too little is known', () => {
    const calls = [...outcomes(30), ...outcomes(600, { count: 49 }), ...outcomes(5, { idle: true })];
    const { short, medium, long } = waitRatios(calls);
    expect(medium).toEqual(long);
    expect(medium).not.toEqual(short);
    expect(waitRatios([...calls, ...outcomes(600, { count: 1 })]).long).not.toEqual(medium);
  });

  it('do not mix calls that found an agent idle with others', () => {
    expect(waitRatios(outcomes(5, { idle: true }))).toEqual({
      ...NO_RATIOS,
      idle: { low: 1, high: expect.closeTo(1.8) },
    });
    expect(waitRatios(outcomes(30)).idle).toBeNull();
  });

  it('are null with fewer than 50 answered calls', () => {
    const left = outcomes(30, { answered: false });
    expect(waitRatios([...outcomes(30, { count: 49 }), ...left])).toEqual(NO_RATIOS);
    expect(waitRatios(outcomes(30, { count: 50 })).short).not.toBeNull();
  });

  it('are larger for the customers who left, who would have waited longer', () => {
    const left = outcomes(30, { answered: false, count: 30 });
    const { short } = waitRatios([...outcomes(30), ...left]);
    expect(short!.low).toBeGreaterThan(1);
    expect(waitRatios([...outcomes(30), ...left.map((call) => ({ ...call, waited: 61 }))]).short).toBeNull();
  });

  it('are those of the last 500 calls of a class', () => {
    const former = outcomes(30, { count: 500 }).map((call) => ({ ...call, waited: 3000 }));
    expect(waitRatios([...former, ...outcomes(30, { count: 500 })]).short!.high).toBeCloseTo(1.8, 2);
  });

  it('count an estimate below one second as one', () => {
    const calls = outcomes(0.5).map((call) => ({ ...call, waited: 4 }));
    expect(waitRatios(calls).short).toEqual({ low: 4, high: 4 });
  });
});

describe('rangeOf', () => {
  const ratios = {
    ...NO_RATIOS,
    idle: { low: 1, high: 3 },
    short: { low: 0.7, high: 2 },
    long: { low: 1, high: 1.5 },
  };

  it.each([
    { estimated: 10, idle: true, limit: 300, range: { low: 10, high: 30 } },
    { estimated: 10, idle: false, limit: 300, range: { low: 7, high: 20 } },
    { estimated: 0, idle: false, limit: 300, range: { low: 0.7, high: 2 } },
    { estimated: 60, idle: false, limit: 300, range: null },
    { estimated: 600, idle: false, limit: Infinity, range: { low: 600, high: 900 } },
    { estimated: 600, idle: false, limit: 700, range: { low: 600, high: 700 } },
  ])('is $range for $estimated s, idle $idle, and at most $limit s', ({ estimated, idle, limit, range }) => {
    expect(rangeOf(estimated, idle, ratios, limit)).toEqual(range);
  });
});

describe('spokenRange', () => {
  it.each([
    { low: 3, high: 8, spoken: { low: 0, high: 30 } },
    { low: 0, high: 0, spoken: { low: 0, high: 30 } },
    { low: 20, high: 31, spoken: { low: 30, high: 60 } },
    { low: 80, high: 119, spoken: { low: 90, high: 120 } },
    { low: 80, high: 121, spoken: { low: 90, high: 180 } },
    { low: 160, high: 240, spoken: { low: 180, high: 240 } },
    { low: 899, high: 899, spoken: { low: 900, high: 900 } },
    { low: 700, high: 901, spoken: { low: 720, high: 1200 } },
    { low: 1100, high: 1900, spoken: { low: 1200, high: 2100 } },
  ])('is $spoken for $low to $high s', ({ low, high, spoken }) => {
    expect(spokenRange({ low, high })).toEqual(spoken);
  });

  it('promises no shorter wait, in steps of 30 s, minutes or 5 minutes', () => {
    const anySeconds = fc.double({ min: 0, max: 20_000, noNaN: true });
    fc.assert(
      fc.property(anySeconds, anySeconds, (one, other) => {
        const range = { low: Math.min(one, other), high: Math.max(one, other) };
        const { low, high } = spokenRange(range);
        expect(high).toBeGreaterThanOrEqual(range.high);
        expect(low).toBeLessThanOrEqual(high);
        for (const seconds of [low, high]) {
          const step = seconds <= 120 ? 30 : seconds <= 900 ? 60 : 300;
          expect(seconds % step).toBe(0);
        }
      }),
    );
  });
});
