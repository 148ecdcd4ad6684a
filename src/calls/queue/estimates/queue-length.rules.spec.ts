import fc from 'fast-check';
import { waitBehind } from './queue-length.rules';

describe('waitBehind', () => {
  it.each([
    { ahead: 0, agents: 1, serviceRate: 0.01, abandonmentRate: 0, seconds: 100 },
    { ahead: 2, agents: 1, serviceRate: 0.01, abandonmentRate: 0, seconds: 300 },
    { ahead: 5, agents: 30, serviceRate: 1 / 360, abandonmentRate: 0, seconds: 72 },
    // 1/0.01 + 1/0.02 + 1/0.03
    { ahead: 2, agents: 1, serviceRate: 0.01, abandonmentRate: 0.01, seconds: 183.333333 },
    { ahead: 1, agents: 0.5, serviceRate: 0.02, abandonmentRate: 0.01, seconds: 150 },
    { ahead: 99, agents: 1, serviceRate: 0.01, abandonmentRate: 0, seconds: 10_000 },
  ])(
    'is $seconds s behind $ahead calls with $agents agents at $serviceRate and customers leaving at $abandonmentRate',
    ({ seconds, ahead, ...rates }) => {
      expect(waitBehind(ahead, rates)).toBeCloseTo(seconds, 5);
    },
  );

  it('is null without agents', () => {
    expect(waitBehind(3, { agents: 0, serviceRate: 0.01, abandonmentRate: 0.01 })).toBeNull();
  });

  const anyRates = fc.record({
    agents: fc.double({ min: 0.05, max: 500, noNaN: true }),
    serviceRate: fc.double({ min: 1 / 86_400, max: 1, noNaN: true }),
    abandonmentRate: fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 0.1, noNaN: true })),
  });
  const anyAhead = fc.integer({ min: 0, max: 10_000 });

  it('is the sum of the expected times between departures', () => {
    fc.assert(
      fc.property(anyAhead, anyRates, (ahead, rates) => {
        const { agents, serviceRate, abandonmentRate } = rates;
        let sum = 0;
        for (let i = 0; i <= ahead; i++) sum += 1 / (agents * serviceRate + i * abandonmentRate);
        const error = waitBehind(ahead, rates)! / sum - 1;
        expect(Math.abs(error)).toBeLessThan(1e-6);
      }),
    );
  });

  it('increases with the calls ahead, and decreases with agents and with customers who leave', () => {
    fc.assert(
      fc.property(anyAhead, anyRates, (ahead, rates) => {
        const wait = waitBehind(ahead, rates)!;
        expect(waitBehind(ahead + 1, rates)!).toBeGreaterThan(wait);
        expect(waitBehind(ahead, { ...rates, agents: rates.agents + 1 })!).toBeLessThan(wait);
        const leaving = { ...rates, abandonmentRate: rates.abandonmentRate * 2 + 1e-6 };
        expect(waitBehind(ahead + 1, leaving)!).toBeLessThan(waitBehind(ahead + 1, rates)!);
      }),
    );
  });
});
