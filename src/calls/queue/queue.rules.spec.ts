import fc from 'fast-check';
import { estimateWait, rankAt } from './queue.rules';

describe('rankAt', () => {
  const joinedAt = new Date('2026-01-31T12:00:00.500Z');

  it.each([
    { priority: 0, step: 60, rank: '2026-01-31T12:00:00.500Z' },
    { priority: 9, step: 60, rank: '2026-01-31T11:51:00.500Z' },
    { priority: 2, step: 3600, rank: '2026-01-31T10:00:00.500Z' },
    { priority: 9, step: 0, rank: '2026-01-31T12:00:00.500Z' },
  ])('is $rank for the priority $priority with a step of $step s', ({ priority, step, rank }) => {
    expect(rankAt(joinedAt, priority, step).toISOString()).toBe(rank);
  });

  it('lets a call without priority go before a later one as soon as it has waited longer than that is worth', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 3600 }), (priority, step) => {
        const rank = rankAt(joinedAt, 0, step);
        const worth = priority * step * 1000;
        const joinedLater = (ms: number) => rankAt(new Date(joinedAt.getTime() + ms), priority, step);
        expect(joinedLater(worth + 1) > rank).toBe(true);
        expect(joinedLater(worth)).toEqual(rank);
        expect(joinedLater(worth - 1) < rank).toBe(true);
      }),
    );
  });
});

describe('estimateWait', () => {
  it.each([
    { position: 1, mean: null, agents: 0, seconds: 180 },
    { position: 3, mean: null, agents: 1, seconds: 540 },
    { position: 3, mean: null, agents: 2, seconds: 270 },
    { position: 1, mean: 100, agents: 3, seconds: 34 },
    { position: 2, mean: 90.5, agents: 1, seconds: 181 },
    { position: 4, mean: 0, agents: 1, seconds: 0 },
  ])(
    'returns for position $position, $mean s per call and $agents agents: $seconds s',
    ({ position, mean, agents, seconds }) => {
      expect(estimateWait(position, { mean_handle_time: mean, online_agents: agents })).toBe(seconds);
    },
  );

  const anyPosition = fc.integer({ min: 1, max: 10_000 });
  /** The mean of 50 durations in whole seconds. */
  const anyMean = fc.option(fc.integer({ min: 0, max: 50 * 86_400 }).map((sum) => sum / 50));
  const anyAgentCount = fc.integer({ min: 0, max: 500 });

  it('rounds up to whole seconds', () => {
    fc.assert(
      fc.property(anyPosition, anyMean, anyAgentCount, (position, mean_handle_time, online_agents) => {
        const seconds = estimateWait(position, { mean_handle_time, online_agents });
        const exact = (position * (mean_handle_time ?? 180)) / Math.max(1, online_agents);
        expect(Number.isInteger(seconds)).toBe(true);
        expect(seconds - exact).toBeGreaterThanOrEqual(0);
        expect(seconds - exact).toBeLessThan(1);
      }),
    );
  });

  it('never increases with another agent and never decreases with a later position', () => {
    fc.assert(
      fc.property(anyPosition, anyMean, anyAgentCount, (position, mean_handle_time, online_agents) => {
        const wait = estimateWait(position, { mean_handle_time, online_agents });
        const laterPosition = estimateWait(position + 1, { mean_handle_time, online_agents });
        const withAnotherAgent = estimateWait(position, {
          mean_handle_time,
          online_agents: online_agents + 1,
        });
        expect(laterPosition).toBeGreaterThanOrEqual(wait);
        expect(withAnotherAgent).toBeLessThanOrEqual(wait);
      }),
    );
  });
});
