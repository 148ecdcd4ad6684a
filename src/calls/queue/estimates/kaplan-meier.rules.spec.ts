import fc from 'fast-check';
import { quantiles } from './kaplan-meier.rules';

const seen = (value: number) => ({ value, censored: false });
const censored = (value: number) => ({ value, censored: true });

describe('quantiles', () => {
  it.each([
    { case: 'of nothing', values: [], result: [null, null] },
    { case: 'of one value', values: [seen(3)], result: [3, 3] },
    { case: 'of ten values', values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(seen), result: [5, 9] },
    { case: 'of censored values alone', values: [censored(1), censored(2)], result: [null, null] },
    // The survival is 3/4 after 1, then 3/4 · 1/2 = 3/8 after 3, then 0.
    { case: 'with a censored value', values: [seen(1), censored(2), seen(3), seen(4)], result: [3, 4] },
    {
      case: 'with the largest values censored',
      values: [seen(1), seen(2), censored(3), censored(4)],
      result: [2, null],
    },
    // The censored value is larger than the other one: the survival is 1/2 after 1, and never lower.
    { case: 'with a value censored at that of another', values: [censored(1), seen(1)], result: [1, null] },
  ])('are $result $case', ({ values, result }) => {
    expect(quantiles(values, [0.5, 0.9])).toEqual(result);
  });

  const anyValues = fc.array(fc.record({ value: fc.nat(50), censored: fc.boolean() }), { maxLength: 60 });

  it('are those of the sorted values if none is censored', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 1, maxLength: 60 }), (values) => {
        const sorted = values.toSorted((one, other) => one - other);
        const plain = (share: number) => sorted[Math.ceil(share * sorted.length - 1e-9) - 1];
        expect(quantiles(values.map(seen), [0.5, 0.9])).toEqual([plain(0.5), plain(0.9)]);
      }),
    );
  });

  it('do not depend on the order, ascend, and are not smaller for censored values', () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        const [median, high] = quantiles(values, [0.5, 0.9]);
        expect(quantiles(values.toReversed(), [0.5, 0.9])).toEqual([median, high]);
        expect(high ?? Infinity).toBeGreaterThanOrEqual(median ?? Infinity);
        const [ofAll] = quantiles(
          values.map(({ value }) => seen(value)),
          [0.5],
        );
        expect(median ?? Infinity).toBeGreaterThanOrEqual(ofAll ?? 0);
      }),
    );
  });
});
