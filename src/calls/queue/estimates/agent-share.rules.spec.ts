import fc from 'fast-check';
import { agentsOfLine } from './agent-share.rules';

describe('agentsOfLine', () => {
  it.each([
    { case: 'agents of this line alone', ahead: 4, groups: [{ agents: 3, aheadInAll: 4 }], agents: 3 },
    { case: 'an equally long other line', ahead: 4, groups: [{ agents: 2, aheadInAll: 9 }], agents: 1 },
    { case: 'an empty other line', ahead: 9, groups: [{ agents: 2, aheadInAll: 9 }], agents: 2 },
    {
      case: 'no call ahead but in the other line',
      ahead: 0,
      groups: [{ agents: 2, aheadInAll: 3 }],
      agents: 0.5,
    },
    {
      case: 'agents of one line and of several',
      ahead: 1,
      groups: [
        { agents: 5, aheadInAll: 1 },
        { agents: 4, aheadInAll: 7 },
      ],
      agents: 6,
    },
    { case: 'nobody', ahead: 1, groups: [], agents: 0 },
  ])('counts $agents with $case', ({ ahead, groups, agents }) => {
    expect(agentsOfLine(ahead, groups)).toBe(agents);
  });

  it('is never more than the agents, and more than none if there are any', () => {
    const anyGroup = fc.record({ agents: fc.integer({ min: 1, max: 50 }), aheadInAll: fc.nat(1000) });
    fc.assert(
      fc.property(fc.nat(1000), fc.array(anyGroup, { minLength: 1 }), (ahead, groups) => {
        const agents = agentsOfLine(ahead, groups);
        expect(agents).toBeGreaterThan(0);
        expect(agents).toBeLessThanOrEqual(groups.reduce((sum, group) => sum + group.agents, 0));
      }),
    );
  });
});
