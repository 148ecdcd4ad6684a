import fc from 'fast-check';
import { AGENT_STATES, type AgentState } from '../agents/agent-state.rules';
import { arbitraryLines } from '../../../test/support/contexts/arbitrary-lines';
import {
  type Candidate,
  type Ineligibility,
  ineligibilityOf,
  isKept,
  type LineCall,
} from './eligibility.rules';

const ANA: Candidate = {
  user_id: 'ana',
  active: true,
  is_member: true,
  state: 'available',
  skills: new Map([
    ['english', 3],
    ['loans', 5],
  ]),
  is_excluded: false,
};
const CALL: LineCall = { skills: [], reserved_for: null };

const needs = (...skills: [string, number][]): LineCall['skills'] =>
  skills.map(([skill_id, min_level]) => ({ skill_id, min_level }));
const keptFor = (user_id: string, state: AgentState): LineCall['reserved_for'] => ({ user_id, state });

/** Checks every pair of an agent and a call that the agent may be offered. */
function checkOffers(check: (agent: Candidate, call: LineCall) => void): void {
  fc.assert(
    fc.property(arbitraryLines(['ana', 'bob', 'eva'], ['english', 'loans']), ({ agents, calls }) => {
      for (const agent of agents) {
        for (const call of calls) if (ineligibilityOf(agent, call) === undefined) check(agent, call);
      }
    }),
  );
}

describe('ineligibilityOf', () => {
  it.each<[string, Partial<Candidate>, Partial<LineCall>, Ineligibility | undefined]>([
    ['an available member', {}, {}, undefined],
    ['a deactivated user', { active: false }, {}, 'inactive'],
    ['a user of another department', { is_member: false }, {}, 'not_a_member'],
    ['a member with the level of the skill', {}, { skills: needs(['english', 3]) }, undefined],
    ['a member with a higher level', {}, { skills: needs(['loans', 1]) }, undefined],
    ['a member with a lower level', {}, { skills: needs(['english', 4]) }, 'lacks_skills'],
    ['a member without the skill', {}, { skills: needs(['french', 1]) }, 'lacks_skills'],
    ['a member with one of two skills', {}, { skills: needs(['english', 3], ['french', 1]) }, 'lacks_skills'],
    ['a member without any skill', { skills: new Map() }, { skills: needs(['loans', 1]) }, 'lacks_skills'],
    ['a member without any skill, of whom none is needed', { skills: new Map() }, {}, undefined],
    ['a member who declined the call', { is_excluded: true }, {}, 'excluded'],
    ['the agent whom the call is kept for', {}, { reserved_for: keptFor('ana', 'available') }, undefined],
    [
      'the agent whom the call is kept for, of another department and without the skills',
      { is_member: false, skills: new Map() },
      { reserved_for: keptFor('ana', 'available'), skills: needs(['french', 5]) },
      undefined,
    ],
    [
      'the agent whom the call is kept for, who declined it',
      { is_excluded: true },
      { reserved_for: keptFor('ana', 'available') },
      'excluded',
    ],
    [
      'the agent whom the call is kept for, who was deactivated',
      { active: false, state: 'offline' },
      { reserved_for: keptFor('ana', 'offline') },
      'inactive',
    ],
    [
      'a colleague while the call is kept for a reachable agent',
      {},
      { reserved_for: keptFor('bob', 'wrap_up') },
      'reserved',
    ],
    ['a colleague once that agent has paused', {}, { reserved_for: keptFor('bob', 'paused') }, undefined],
    [
      'a colleague without the skills once that agent is offline',
      {},
      { reserved_for: keptFor('bob', 'offline'), skills: needs(['french', 1]) },
      'lacks_skills',
    ],
  ])('of %s', (_who, candidate, call, expected) => {
    expect(ineligibilityOf({ ...ANA, ...candidate }, { ...CALL, ...call })).toBe(expected);
  });

  it.each(AGENT_STATES)('of a member who is %s', (state) => {
    expect(ineligibilityOf({ ...ANA, state }, CALL)).toBe(
      state === 'available' ? undefined : 'not_available',
    );
  });

  it('never lets an inactive, excluded or unavailable user get a call', () => {
    checkOffers((agent) => {
      expect(agent).toMatchObject({ active: true, state: 'available', is_excluded: false });
    });
  });

  it('lets a user without the membership or the skills get only a call that is kept for them', () => {
    checkOffers((agent, call) => {
      if (call.reserved_for?.user_id === agent.user_id) return;
      expect(agent.is_member).toBe(true);
      for (const { skill_id, min_level } of call.skills) {
        expect(agent.skills.get(skill_id)).toBeGreaterThanOrEqual(min_level);
      }
    });
  });

  it('lets nobody else get a call that is kept for a reachable agent', () => {
    checkOffers((agent, call) => {
      if (isKept(call)) expect(agent.user_id).toBe(call.reserved_for?.user_id);
    });
  });
});

it.each<[AgentState, boolean]>([
  ['on_call', true],
  ['offline', false],
  ['offered', true],
  ['wrap_up', true],
  ['paused', false],
  ['available', true],
])('a call is kept for an agent who is %s: %s', (state, expected) => {
  expect(isKept({ reserved_for: keptFor('bob', state) })).toBe(expected);
});
