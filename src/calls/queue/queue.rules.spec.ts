import fc from 'fast-check';
import { estimateWait } from './queue.rules';

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
