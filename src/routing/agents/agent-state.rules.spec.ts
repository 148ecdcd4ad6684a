import fc from 'fast-check';
import type { Presence } from '../../presence/presence.rules';
import {
  AGENT_STATES,
  type AgentFacts,
  type AgentState,
  agentStateOf,
  type AnnouncedAgent,
  idleSinceAfter,
  presenceOf,
} from './agent-state.rules';

const T0 = new Date('2026-01-31T12:00:00.000Z');
const at = (seconds: number) => new Date(T0.getTime() + seconds * 1000);

const IDLE: AgentFacts = {
  call: null,
  has_socket: true,
  has_pending_offer: false,
  wrap_up_until: null,
  chosen: 'online',
};

const anyFacts: fc.Arbitrary<AgentFacts> = fc.record({
  call: fc.constantFrom(null, 'assigned', 'active'),
  has_socket: fc.boolean(),
  has_pending_offer: fc.boolean(),
  wrap_up_until: fc.constantFrom(null, at(60)),
  chosen: fc.constantFrom('online', 'away'),
});

describe('the state of an agent', () => {
  it.each<[string, Partial<AgentFacts>, AgentState, Presence]>([
    ['with a socket', {}, 'available', 'online'],
    ['who chose away', { chosen: 'away' }, 'paused', 'away'],
    ['who wraps up a call', { wrap_up_until: at(60) }, 'wrap_up', 'busy'],
    [
      'who chose away while they wrap up a call',
      { wrap_up_until: at(60), chosen: 'away' },
      'wrap_up',
      'busy',
    ],
    ['with a pending offer', { has_pending_offer: true }, 'offered', 'online'],
    ['without a socket', { has_socket: false }, 'offline', 'offline'],
    ['without a socket who chose away', { has_socket: false, chosen: 'away' }, 'offline', 'offline'],
    [
      'without a socket who wraps up a call',
      { has_socket: false, wrap_up_until: at(60) },
      'offline',
      'offline',
    ],
    [
      'whose socket was lost during an offer',
      { has_socket: false, has_pending_offer: true },
      'offline',
      'offline',
    ],
    ['with a ringing call', { call: 'assigned' }, 'on_call', 'online'],
    ['with a ringing call who chose away', { call: 'assigned', chosen: 'away' }, 'on_call', 'away'],
    [
      'with a ringing call and without a socket',
      { call: 'assigned', has_socket: false },
      'on_call',
      'offline',
    ],
    [
      'with a ringing call who wraps up another one',
      { call: 'assigned', wrap_up_until: at(60) },
      'on_call',
      'online',
    ],
    ['in a call', { call: 'active', chosen: 'away' }, 'on_call', 'busy'],
    ['in a call and without a socket', { call: 'active', has_socket: false }, 'on_call', 'busy'],
  ])('%s', (_who, facts, state, presence) => {
    expect([agentStateOf({ ...IDLE, ...facts }), presenceOf({ ...IDLE, ...facts })]).toEqual([
      state,
      presence,
    ]);
  });

  it('is the first state that applies, in the order of the list', () => {
    const applies: Record<AgentState, (facts: AgentFacts) => boolean> = {
      on_call: ({ call }) => call !== null,
      offline: ({ has_socket }) => !has_socket,
      offered: ({ has_pending_offer }) => has_pending_offer,
      wrap_up: ({ wrap_up_until }) => wrap_up_until !== null,
      paused: ({ chosen }) => chosen === 'away',
      available: () => true,
    };
    fc.assert(
      fc.property(anyFacts, (facts) => {
        expect(agentStateOf(facts)).toBe(AGENT_STATES.find((state) => applies[state](facts)));
      }),
    );
  });

  it('is available only with the presence online', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        fc.pre(agentStateOf(facts) === 'available');
        expect(presenceOf(facts)).toBe('online');
      }),
    );
  });
});

describe('idle_since', () => {
  const before = (state: AgentState, changes: Partial<AnnouncedAgent> = {}): AnnouncedAgent => ({
    state,
    since: T0,
    idle_since: at(-100),
    ...changes,
  });
  const NOW = at(10);

  it.each<[string, AnnouncedAgent, AgentState, Date | null]>([
    ['begins at the end of a call', before('on_call'), 'available', NOW],
    ['begins at the end of a call after which the agent is offline', before('on_call'), 'offline', NOW],
    ['does not begin when wrap-up follows the call', before('on_call'), 'wrap_up', at(-100)],
    ['begins at the end of wrap-up', before('wrap_up'), 'available', NOW],
    ['begins at the end of a pause', before('paused'), 'available', NOW],
    [
      'begins when the agent connects for the first time',
      before('offline', { idle_since: null }),
      'available',
      NOW,
    ],
    ['is kept over a short interruption', before('offline', { since: at(-4.999) }), 'available', at(-100)],
    ['begins again after a long interruption', before('offline', { since: at(-5) }), 'available', NOW],
    ['is kept when an offer ends without a call', before('offered'), 'available', at(-100)],
    ['is kept when an offer is made', before('available'), 'offered', at(-100)],
    ['is kept when a pause begins', before('available'), 'paused', at(-100)],
    ['is kept when a call begins', before('offered'), 'on_call', at(-100)],
    [
      'stays null while the agent has never been available',
      before('offline', { idle_since: null }),
      'paused',
      null,
    ],
  ])('%s', (_title, agent, state, expected) => {
    expect(idleSinceAfter(agent, state, NOW)).toEqual(expected);
  });

  it('is known for every available agent, and never goes back', () => {
    const anyChange = fc.tuple(fc.constantFrom(...AGENT_STATES), fc.integer({ min: 0, max: 40 }));
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 12 }), (changes) => {
        let agent: AnnouncedAgent = { state: 'offline', since: T0, idle_since: null };
        let now = T0;
        for (const [state, seconds] of changes) {
          now = new Date(now.getTime() + seconds * 1000);
          if (state === agent.state) continue;
          const idle_since = idleSinceAfter(agent, state, now);
          expect(Number(idle_since)).toBeGreaterThanOrEqual(Number(agent.idle_since));
          if (state === 'available') expect(idle_since).not.toBeNull();
          agent = { state, since: now, idle_since };
        }
      }),
    );
  });
});
