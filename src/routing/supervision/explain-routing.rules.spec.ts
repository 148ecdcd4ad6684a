import fc from 'fast-check';
import { arbitraryLines } from '../../../test/support/contexts/arbitrary-lines';
import type { AgentState } from '../agents/agent-state.rules';
import { type Candidate, ineligibilityOf, type LineCall } from '../offers/eligibility.rules';
import { explainRouting, type Obstacle, type ObstacleFacts } from './explain-routing.rules';

const NO_OBSTACLES: ObstacleFacts = {
  not_waiting: false,
  suspended: false,
  manual: false,
  inactive_department: false,
  offered: false,
  callback_pending: false,
  customer_absent: false,
  plan_limit: false,
};
const OBSTACLES = Object.keys(NO_OBSTACLES) as Obstacle[];

const CALL: LineCall = { skills: [], reserved_for: null };
const FOR_LOANS: LineCall = { ...CALL, skills: [{ skill_id: 'loans', min_level: 2 }] };
const keptFor = (user_id: string, state: AgentState): LineCall => ({
  ...CALL,
  reserved_for: { user_id, state },
});

const member = (user_id: string, changes: Partial<Candidate> = {}): Candidate => ({
  user_id,
  active: true,
  is_member: true,
  state: 'available',
  skills: new Map([['loans', 2]]),
  is_excluded: false,
  ...changes,
});
const unskilled = { skills: new Map<string, number>() };

describe('explainRouting', () => {
  it.each(OBSTACLES)('names %s before any later obstacle, with the counts', (obstacle) => {
    const later = OBSTACLES.slice(OBSTACLES.indexOf(obstacle)).map((name) => [name, true]);
    const explanation = explainRouting({ ...NO_OBSTACLES, ...Object.fromEntries(later) }, CALL, [
      member('ana'),
    ]);
    expect(explanation).toMatchObject({ code: obstacle, members: 1, eligible: 1, available: 1 });
    expect(explanation.reason).toMatch(/^The .+\.$/);
  });

  const busy = member('bob', { state: 'on_call' });
  const paused = member('cid', { state: 'paused' });

  it.each<[string, LineCall, Candidate[], code: string, reason: RegExp]>([
    ['of two who can take it', CALL, [member('ana'), member('bob')], 'eligible', /can take the call: 2\./],
    ['without members', CALL, [], 'no_members', /no active member/],
    ['with an inactive member', CALL, [member('ana', { active: false })], 'no_members', /no active member/],
    [
      'whose preferred agent is offline, without members',
      keptFor('ana', 'offline'),
      [member('ana', { is_member: false, state: 'offline' })],
      'no_members',
      /no active member/,
    ],
    [
      'that no member has the skills for',
      FOR_LOANS,
      [member('ana', unskilled), member('bob', { ...unskilled, state: 'paused' })],
      'lacks_skills',
      /No active member has the skills/,
    ],
    ['whose members are busy', CALL, [busy, paused], 'not_available', /: in a call: 1, paused: 1\.$/],
    [
      'whose skilled member is busy',
      FOR_LOANS,
      [busy, member('ana', unskilled), member('eva', { ...unskilled, state: 'paused' })],
      'not_available',
      /: in a call: 1\.$/,
    ],
    [
      'that the only available agent declined',
      CALL,
      [busy, member('ana', { is_excluded: true })],
      'excluded',
      /after 10 seconds/,
    ],
    [
      'that is kept for a busy agent',
      keptFor('bob', 'on_call'),
      [busy, member('ana')],
      'reserved',
      /one agent \(in a call\)/,
    ],
    [
      'that is kept for an agent who declined it',
      keptFor('ana', 'available'),
      [member('ana', { is_excluded: true }), member('bob')],
      'excluded',
      /after 10 seconds/,
    ],
    [
      'that is kept for an available agent of another department',
      keptFor('ana', 'available'),
      [member('ana', { is_member: false })],
      'eligible',
      /can take the call: 1\./,
    ],
  ])('explains a call %s', (_which, call, candidates, code, reason) => {
    expect(explainRouting(NO_OBSTACLES, call, candidates)).toMatchObject({
      code,
      reason: expect.stringMatching(reason),
    });
  });

  it('counts members, of whom one can have several obstacles', () => {
    const candidates = [
      member('ana', { is_excluded: true }),
      member('bob', { ...unskilled, is_excluded: true }),
      member('cid', unskilled),
      member('dan', { active: false }),
      member('eva', { is_member: false }),
      member('fay', { state: 'paused' }),
    ];
    expect(explainRouting(NO_OBSTACLES, FOR_LOANS, candidates)).toMatchObject({
      members: 4,
      eligible: 0,
      available: 3,
      excluded: 2,
      lacking_skills: 2,
      code: 'excluded',
    });
  });

  it('names exactly the calls that an agent can take as eligible', () => {
    fc.assert(
      fc.property(arbitraryLines(['ana', 'bob', 'cid', 'eva'], ['english', 'loans']), ({ agents, calls }) => {
        for (const call of calls) {
          const { eligible, code, reason } = explainRouting(NO_OBSTACLES, call, agents);
          const able = agents.filter((agent) => ineligibilityOf(agent, call) === undefined);
          expect(eligible).toBe(able.length);
          expect(code === 'eligible').toBe(able.length > 0);
          expect(reason).toMatch(/\S\.$/);
        }
      }),
    );
  });
});
