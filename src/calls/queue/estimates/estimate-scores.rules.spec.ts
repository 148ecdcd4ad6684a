import { scoresOf } from './estimate-scores.rules';

describe('scoresOf', () => {
  it('says nothing without calls', () => {
    expect(scoresOf([])).toEqual({ calls: 0, mae: null, bias: null, coverage: null });
  });

  it('is the mean error without and with its sign, and the share of calls within their range', () => {
    const calls = [
      { estimated: 100, high: 150, waited: 130 },
      { estimated: 100, high: 150, waited: 150 },
      { estimated: 100, high: 150, waited: 160 },
      { estimated: 100, high: null, waited: 60 },
    ];
    expect(scoresOf(calls)).toEqual({ calls: 4, mae: 45, bias: -25, coverage: 2 / 3 });
  });

  it('has no coverage if no call had a range', () => {
    expect(scoresOf([{ estimated: 1, high: null, waited: 2 }]).coverage).toBeNull();
  });
});
