import fc from 'fast-check';
import { arbitraryLines, type WaitingCall } from '../../../test/support/contexts/arbitrary-lines';
import { rankAt } from '../../calls/queue/queue.rules';
import { ineligibilityOf } from './eligibility.rules';
import {
  type AgentSelection,
  compareRanks,
  type Rank,
  selectAgent,
  type SelectableAgent,
  selectCall,
} from './selection.rules';

const T0 = new Date('2026-01-31T12:00:00.000Z');
const at = (seconds: number) => new Date(T0.getTime() + seconds * 1000);

const SELECTIONS: AgentSelection[] = ['longest_idle', 'most_skilled', 'fewest_today'];
const USERS = ['ana', 'bob', 'cid', 'eva'];
const anyLine = arbitraryLines(USERS, ['english', 'loans']);
const anySelection = fc.constantFrom(...SELECTIONS);

const agent = (user_id: string, changes: Partial<SelectableAgent> = {}): SelectableAgent => ({
  user_id,
  active: true,
  is_member: true,
  state: 'available',
  skills: new Map(),
  is_excluded: false,
  idle_since: at(0),
  calls_today: 0,
  ...changes,
});

const waiting = (changes: Partial<WaitingCall> = {}): WaitingCall => ({
  skills: [],
  required_skill_ids: [],
  reserved_for: null,
  priority_since: null,
  rank_at: at(0),
  queue_number: 1,
  ...changes,
});

const levels = (english: number, loans: number) =>
  new Map([
    ['english', english],
    ['loans', loans],
  ]);

describe('selectAgent', () => {
  const idle = agent('bob', { idle_since: at(-60), skills: levels(1, 1), calls_today: 3 });
  const skilled = agent('ana', { idle_since: at(-10), skills: levels(2, 5), calls_today: 2 });
  const rested = agent('cid', { idle_since: at(-20), skills: levels(4, 1), calls_today: 1 });
  const all = [skilled, rested, idle];
  const forLoans = { required_skill_ids: ['loans'] };
  const keptFor = (user_id: string) => waiting({ reserved_for: { user_id, state: 'available' } });

  it.each<[string, SelectableAgent[], WaitingCall, AgentSelection, string | undefined]>([
    ['the longest idle', all, waiting(), 'longest_idle', 'bob'],
    ['the most skilled in the skills of the call', all, waiting(forLoans), 'most_skilled', 'ana'],
    [
      'the highest sum of the levels',
      all,
      waiting({ required_skill_ids: ['english', 'loans'] }),
      'most_skilled',
      'ana',
    ],
    ['the longest idle for a call without skills', all, waiting(), 'most_skilled', 'bob'],
    [
      'the longest idle of two with the same levels',
      [rested, idle],
      waiting(forLoans),
      'most_skilled',
      'bob',
    ],
    ['the one with the fewest calls today', all, waiting(), 'fewest_today', 'cid'],
    [
      'the longest idle of two with as many calls today',
      [agent('ana'), agent('bob', { idle_since: at(-1) })],
      waiting(),
      'fewest_today',
      'bob',
    ],
    ['the lowest id of equal agents', [agent('bob'), agent('ana')], waiting(), 'longest_idle', 'ana'],
    ['the agent whom the call is kept for', all, keptFor('ana'), 'longest_idle', 'ana'],
    ['nobody without agents', [], waiting(), 'longest_idle', undefined],
    [
      'nobody when all are excluded or busy',
      [agent('ana', { is_excluded: true }), agent('bob', { state: 'on_call' })],
      waiting(),
      'longest_idle',
      undefined,
    ],
  ])('chooses %s', (_who, agents, call, selection, expected) => {
    expect(selectAgent(agents, call, selection)?.user_id).toBe(expected);
  });

  it('chooses an agent exactly if one of them may be offered the call, and that one may', () => {
    fc.assert(
      fc.property(anyLine, anySelection, ({ agents, calls }, selection) => {
        for (const call of calls) {
          const chosen = selectAgent(agents, call, selection);
          const eligible = agents.filter((one) => ineligibilityOf(one, call) === undefined);
          expect(chosen === undefined).toBe(eligible.length === 0);
          if (chosen) expect(eligible).toContain(chosen);
        }
      }),
    );
  });

  it('does not depend on the order of the agents', () => {
    fc.assert(
      fc.property(anyLine, anySelection, ({ agents, calls }, selection) => {
        for (const call of calls) {
          expect(selectAgent(agents.toReversed(), call, selection)).toBe(
            selectAgent(agents, call, selection),
          );
        }
      }),
    );
  });

  it('chooses the same agent again when others are no longer available', () => {
    fc.assert(
      fc.property(anyLine, anySelection, ({ agents, calls }, selection) => {
        for (const call of calls.map((one) => ({ ...one, reserved_for: null }))) {
          const chosen = selectAgent(agents, call, selection);
          for (const other of agents.filter((one) => one !== chosen)) {
            const remaining = agents.filter((one) => one !== other);
            expect(selectAgent(remaining, call, selection)).toBe(chosen);
          }
        }
      }),
    );
  });

  it('chooses the longest idle among equals by the selection', () => {
    fc.assert(
      fc.property(anyLine, anySelection, ({ agents, calls }, selection) => {
        const equals = agents.map((one) => ({ ...one, skills: new Map<string, number>(), calls_today: 1 }));
        for (const call of calls.map((one) => ({ ...one, reserved_for: null }))) {
          const chosen = selectAgent(equals, call, selection);
          const others = equals.filter((one) => ineligibilityOf(one, call) === undefined);
          for (const { idle_since } of others) {
            expect(Number(chosen?.idle_since)).toBeLessThanOrEqual(Number(idle_since));
          }
        }
      }),
    );
  });
});

describe('compareRanks', () => {
  const joined = (seconds: number, changes: Partial<Rank> = {}): Rank => ({
    priority_since: null,
    rank_at: at(seconds),
    queue_number: seconds,
    ...changes,
  });

  it.each<[string, Rank, Rank]>([
    ['an earlier join', joined(1), joined(2)],
    ['an appointment whose time has come', joined(9, { priority_since: at(8) }), joined(1)],
    [
      'the earlier of two appointments',
      joined(9, { priority_since: at(3) }),
      joined(1, { priority_since: at(8) }),
    ],
    ['the higher priority of two joins at one moment', joined(2, { rank_at: at(-58) }), joined(1)],
    [
      'the first of two calls with the same rank',
      joined(1, { rank_at: at(0) }),
      joined(2, { rank_at: at(0) }),
    ],
  ])('puts first %s', (_title, first, second) => {
    expect(compareRanks(first, second)).toBeLessThan(0);
    expect(compareRanks(second, first)).toBeGreaterThan(0);
  });

  it('is a total order', () => {
    fc.assert(
      fc.property(anyLine, ({ calls }) => {
        for (const one of calls) {
          for (const other of calls) {
            expect(Math.sign(compareRanks(one, other))).toBe(-Math.sign(compareRanks(other, one)) || 0);
            expect(compareRanks(one, other) === 0).toBe(one === other);
            for (const third of calls) {
              if (compareRanks(one, other) < 0 && compareRanks(other, third) < 0)
                expect(compareRanks(one, third)).toBeLessThan(0);
            }
          }
        }
      }),
    );
  });

  const priority = fc.integer({ min: 0, max: 9 });
  const step = fc.integer({ min: 0, max: 3600 });

  it('lets priority age: each point counts as much as priority_step seconds of waiting', () => {
    fc.assert(
      fc.property(
        priority,
        priority,
        step,
        fc.integer({ min: 0, max: 40_000 }),
        (low, high, seconds, later) => {
          const first = { ...joined(0), rank_at: rankAt(at(0), low, seconds), queue_number: 1 };
          const second = { ...joined(0), rank_at: rankAt(at(later), high, seconds), queue_number: 2 };
          expect(compareRanks(first, second) < 0).toBe((high - low) * seconds <= later);
        },
      ),
    );
  });

  it('puts a call of priority 0 that has waited long enough before a new one of priority 9', () => {
    const old = { ...joined(1), rank_at: rankAt(at(0), 0, 60) };
    const order = (later: number) => compareRanks(old, { ...joined(2), rank_at: rankAt(at(later), 9, 60) });
    expect(order(539)).toBeGreaterThan(0);
    expect(order(540)).toBeLessThan(0);
  });
});

const choose = (candidate: SelectableAgent, calls: WaitingCall[]) =>
  selectCall(calls.map((call) => ({ call, candidate })));

describe('selectCall', () => {
  it('chooses the first call that the agent may get, whatever is before it', () => {
    const forLoans = waiting({ skills: [{ skill_id: 'loans', min_level: 2 }], queue_number: 1 });
    const keptForBob = waiting({ reserved_for: { user_id: 'bob', state: 'on_call' }, queue_number: 2 });
    const [third, fourth] = [waiting({ queue_number: 3 }), waiting({ queue_number: 4 })];
    const calls = [fourth, third, keptForBob, forLoans];
    expect(choose(agent('ana'), calls)).toBe(third);
    expect(choose(agent('ana', { skills: levels(0, 2) }), calls)).toBe(forLoans);
    expect(choose(agent('bob'), calls)).toBe(keptForBob);
    expect(choose(agent('ana', { state: 'paused' }), calls)).toBeUndefined();
    expect(choose(agent('ana'), [])).toBeUndefined();
  });

  it('uses the membership and the exclusion of each call', () => {
    const [first, second, third] = [1, 2, 3].map((queue_number) => waiting({ queue_number }));
    const choices = [
      { call: first, candidate: agent('ana', { is_member: false }) },
      { call: second, candidate: agent('ana', { is_excluded: true }) },
      { call: third, candidate: agent('ana') },
    ];
    expect(selectCall(choices as { call: WaitingCall; candidate: SelectableAgent }[])).toBe(third);
  });

  it('passes no call that the agent may get', () => {
    fc.assert(
      fc.property(anyLine, ({ agents, calls }) => {
        for (const candidate of agents) {
          const chosen = choose(candidate, calls);
          const possible = calls.filter((call) => ineligibilityOf(candidate, call) === undefined);
          expect(chosen === undefined).toBe(possible.length === 0);
          for (const call of possible) expect(chosen && compareRanks(chosen, call)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });
});
