import fc from 'fast-check';
import { type DecayingMean, NO_OBSERVATIONS, observe, shrink } from './decaying-mean.rules';

const HALF_LIFE = 100;
const one = (sum: number) => ({ sum, weight: 1 });

describe('observe', () => {
  it('halves the weight of what was observed a half-life ago', () => {
    const mean = observe(observe(NO_OBSERVATIONS, one(40), 1000, HALF_LIFE), one(100), 1100, HALF_LIFE);
    expect(mean).toEqual({ sum: 120, weight: 1.5, at: 1100 });
  });

  it('does not give a late observation more weight than a new one', () => {
    const mean = observe(observe(NO_OBSERVATIONS, one(40), 1000, HALF_LIFE), one(100), 900, HALF_LIFE);
    expect(mean).toEqual({ sum: 140, weight: 2, at: 1000 });
  });

  it('weights each observation by its age', () => {
    const anyObservation = fc.record({ value: fc.nat(3600), gap: fc.nat(500) });
    fc.assert(
      fc.property(fc.array(anyObservation, { minLength: 1, maxLength: 50 }), (observations) => {
        let at = 5000;
        const timed = observations.map(({ value, gap }) => ({ value, at: (at += gap) }));
        const mean = timed.reduce<DecayingMean>(
          (so, { value, at }) => observe(so, one(value), at, HALF_LIFE),
          NO_OBSERVATIONS,
        );
        const weights = timed.map((each) => 0.5 ** ((at - each.at) / HALF_LIFE));
        const sum = timed.reduce((total, { value }, index) => total + value * weights[index], 0);
        expect(mean.sum).toBeCloseTo(sum, 6);
        expect(mean.weight).toBeCloseTo(
          weights.reduce((total, weight) => total + weight, 0),
          6,
        );
      }),
    );
  });
});

describe('shrink', () => {
  it.each([
    { case: 'the prior without observations', sum: 0, weight: 0, result: 180 },
    { case: 'half of each with as much weight', sum: 5 * 300, weight: 5, result: 240 },
    { case: 'almost the mean with much weight', sum: 4995 * 300, weight: 4995, result: 299.88 },
  ])('is $case', ({ sum, weight, result }) => {
    expect(shrink({ sum, weight }, 180, 5)).toBeCloseTo(result, 10);
  });
});
