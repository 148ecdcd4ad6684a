import fc from 'fast-check';
import { dueTrigger, effectsOf, gainsPriority, secondsBetween } from './call.effects';
import type { Call } from '../call.entity';
import type { Decision, EndReason, TransitionRequest, TargetStatus } from './call.machine';

const T0 = new Date('2026-01-31T12:00:00.000Z');
const at = (seconds: number) => new Date(T0.getTime() + seconds * 1000);

const CLEARED = {
  wait_deadline: null,
  absence_deadline: null,
  ring_deadline: null,
  customer_grace_deadline: null,
  agent_grace_deadline: null,
  priority_deadline: null,
  suspended_wait_deadline: null,
  suspended_priority_deadline: null,
  absent_since: null,
};

/** Without a callback. */
const NO_CALLBACK = { callback_status: null, callback_invited_until: null };

const callWith = (changes: Partial<Call> = {}): Call =>
  ({
    status: 'queued',
    version: 3,
    user_id: null,
    inserted_at: T0,
    waits_from: null,
    started_at: null,
    wait_time: null,
    unanswered_count: 0,
    transferred_at: null,
    notes: null,
    ...CLEARED,
    ...NO_CALLBACK,
    ...changes,
  }) as Call;

const transitionTo = (to: TargetStatus, end_reason: EndReason | null = null) =>
  ({ kind: 'transition', to, end_reason }) satisfies Decision;

const effects = (
  call: Call,
  move: TransitionRequest,
  transition: ReturnType<typeof transitionTo>,
  now: Date,
  ringSeconds: number,
) => effectsOf({ call, move, transition, now, ringSeconds });

const assignTo = (id: string): TransitionRequest => ({
  trigger: 'assign',
  assignee: { id, name: 'Ana', explicit: true },
});

describe('effectsOf', () => {
  it('ends the wait and starts the ring timeout when the call is assigned', () => {
    const call = callWith({ wait_deadline: at(300), absence_deadline: at(50) });
    expect(effects(call, assignTo('ana'), transitionTo('assigned'), at(42.9), 60)).toEqual({
      ...CLEARED,
      status: 'assigned',
      user_id: 'ana',
      user_name: 'Ana',
      assigned_at: at(42.9),
      agent_connected_at: null,
      wait_time: 42,
      ring_deadline: at(102.9),
      suspended_wait_deadline: at(300),
    });
  });

  it('restarts the ring timeout when the call is reassigned, and counts the wait until then', () => {
    const call = callWith({ status: 'assigned', user_id: 'bob', wait_time: 42, ring_deadline: at(100) });
    const changes = effects(call, assignTo('ana'), transitionTo('assigned'), at(90), 60);
    expect(changes).toMatchObject({ user_id: 'ana', wait_time: 90, ring_deadline: at(150) });
  });

  it('keeps the wait before the first start when the call is assigned again after it', () => {
    const call = callWith({ status: 'queued', started_at: at(50), wait_time: 42 });
    const changes = effects(call, assignTo('ana'), transitionTo('assigned'), at(90), 60);
    expect(changes).toMatchObject({ user_id: 'ana', wait_time: 42 });
  });

  it('throws if an assignment has no assignee', () => {
    expect(() => effects(callWith(), { trigger: 'assign' }, transitionTo('assigned'), T0, 60)).toThrow(
      'assignee',
    );
  });

  it('sets started_at only once and clears the ring deadline when the call starts', () => {
    const call = callWith({ status: 'assigned', ring_deadline: at(60) });
    const move: TransitionRequest = { trigger: 'start' };
    expect(effects(call, move, transitionTo('active'), at(10), 60)).toEqual({
      ...CLEARED,
      status: 'active',
      started_at: at(10),
    });
    const changes = effects({ ...call, started_at: at(5) }, move, transitionTo('active'), at(10), 60);
    expect(changes.started_at).toEqual(at(5));
  });

  const endings: {
    name: string;
    call: Partial<Call>;
    to: TargetStatus;
    reason: EndReason;
    expected: Partial<Call>;
  }[] = [
    {
      name: 'completed after it started',
      call: { status: 'active', started_at: at(40), wait_time: 30 },
      to: 'completed',
      reason: 'normal',
      expected: { completed_at: at(100), duration: 60, wait_time: 30 },
    },
    {
      name: 'completed before it started',
      call: { status: 'assigned', wait_time: 30 },
      to: 'completed',
      reason: 'normal',
      expected: { completed_at: at(100), duration: null, wait_time: 30 },
    },
    {
      name: 'missed',
      call: { status: 'assigned', wait_time: 30 },
      to: 'missed',
      reason: 'timeout',
      expected: { completed_at: null, duration: null, wait_time: 30, unanswered_count: 1 },
    },
    {
      name: 'abandoned in the queue',
      call: { status: 'queued' },
      to: 'abandoned',
      reason: 'abandoned',
      expected: { completed_at: null, duration: null, wait_time: 100 },
    },
  ];

  it.each<[string, Partial<Call>, TransitionRequest['trigger'], number]>([
    ['since the join', { status: 'queued' }, 'cancel', 100],
    ['also while it rings', { status: 'assigned', wait_time: 30 }, 'cancel', 100],
    ['since the last transfer', { started_at: at(9), wait_time: 9, transferred_at: at(60) }, 'cancel', 40],
    ['not before the department opened', { status: 'queued', waits_from: at(70) }, 'cancel', 30],
    ['not while it was closed', { status: 'queued', waits_from: at(900) }, 'cancel', 0],
    ['not if the department was deleted', { status: 'queued' }, 'department_deleted', 0],
  ])('records how long the customer of a cancelled call had waited: %s', (_, call, trigger, left_after) => {
    const cancelled = transitionTo('cancelled', 'abandoned');
    expect(effects(callWith(call), { trigger }, cancelled, at(100), 60)).toMatchObject({ left_after });
  });

  it.each(endings)('records the end of a call that is $name', ({ call, to, reason, expected }) => {
    const before = callWith({ ...call, wait_deadline: at(1), agent_grace_deadline: at(2) });
    expect(effects(before, { trigger: 'complete' }, transitionTo(to, reason), at(100), 60)).toEqual({
      ...CLEARED,
      ...NO_CALLBACK,
      ...expected,
      status: to,
      ended_at: at(100),
      end_reason: reason,
    });
  });

  it.each([
    ['Card sent', { notes: 'Card sent' }],
    ['', {}],
    [null, {}],
  ])('maps the notes %j to the changes %j', (notes, expected) => {
    const call = callWith({ status: 'active', notes: 'kept' });
    const changes = effects(
      call,
      { trigger: 'complete', notes },
      transitionTo('completed', 'normal'),
      T0,
      60,
    );
    expect('notes' in changes ? { notes: changes.notes } : {}).toEqual(expected);
  });
});

describe('secondsBetween', () => {
  it('returns whole seconds and never a negative number', () => {
    expect(secondsBetween(at(0), at(1.999))).toBe(1);
    expect(secondsBetween(at(5), at(0))).toBe(0);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 0, max: 999 }), (seconds, ms) => {
        expect(secondsBetween(T0, at(seconds + ms / 1000))).toBe(seconds);
      }),
    );
  });
});

describe('dueTrigger', () => {
  it.each([
    ['queued', { wait_deadline: at(0) }, 'wait_timeout'],
    ['queued', { absence_deadline: at(-1) }, 'absence_timeout'],
    ['queued', { wait_deadline: at(-2), absence_deadline: at(-1) }, 'wait_timeout'],
    ['queued', { wait_deadline: at(-1), absence_deadline: at(-2) }, 'absence_timeout'],
    ['queued', { wait_deadline: at(0.001) }, undefined],
    ['assigned', { ring_deadline: at(0) }, 'ring_timeout'],
    ['assigned', { wait_deadline: at(-9) }, undefined],
    ['active', { customer_grace_deadline: at(0), agent_grace_deadline: at(9) }, 'grace_timeout'],
    ['active', { agent_grace_deadline: at(0) }, 'grace_timeout'],
    ['active', { ring_deadline: at(-9) }, undefined],
    ['completed', { wait_deadline: at(-9), ring_deadline: at(-9), agent_grace_deadline: at(-9) }, undefined],
    ['queued', {}, undefined],
  ] as const)('returns for a call that is %s with %o: %s', (status, deadlines, trigger) => {
    expect(dueTrigger(callWith({ status, ...deadlines }), T0)).toBe(trigger);
  });
});

describe('gainsPriority', () => {
  it.each<[string, Partial<Call>, boolean]>([
    [
      'is true for a queued call at its priority deadline',
      { status: 'queued', priority_deadline: at(100) },
      true,
    ],
    ['is false before the priority deadline', { status: 'queued', priority_deadline: at(101) }, false],
    ['is false without a priority deadline', { status: 'queued', priority_deadline: null }, false],
    ['is false once the call is assigned', { status: 'assigned', priority_deadline: at(1) }, false],
  ])('%s', (_title, call, expected) => {
    expect(gainsPriority(callWith(call), at(100))).toBe(expected);
  });
});
