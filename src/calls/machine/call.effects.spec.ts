import fc from 'fast-check';
import { dueTrigger, effectsOf, gainsPriority, secondsBetween } from './call.effects';
import type { Call } from '../call.entity';
import type { Decision, EndReason, TransitionRequest, TargetStatus } from './call.machine';

const T0 = new Date('2026-01-31T12:00:00.000Z');
const at = (seconds: number) => new Date(T0.getTime() + seconds * 1000);

const NO_DEADLINES = {
  wait_deadline: null,
  absence_deadline: null,
  ring_deadline: null,
  customer_grace_deadline: null,
  agent_grace_deadline: null,
  priority_deadline: null,
};

const aCall = (changes: Partial<Call> = {}): Call =>
  ({
    status: 'queued',
    version: 3,
    user_id: null,
    inserted_at: T0,
    started_at: null,
    wait_time: null,
    notes: null,
    ...NO_DEADLINES,
    ...changes,
  }) as Call;

const change = (to: TargetStatus, end_reason: EndReason | null = null) =>
  ({ kind: 'transition', to, end_reason }) satisfies Decision;

const effects = (
  call: Call,
  move: TransitionRequest,
  transition: ReturnType<typeof change>,
  now: Date,
  ringSeconds: number,
) => effectsOf({ call, move, transition, now, ringSeconds });

const assignTo = (id: string): TransitionRequest => ({
  trigger: 'assign',
  assignee: { id, name: 'Ana', explicit: true },
});

describe('what a move changes', () => {
  it('assigning ends the wait and starts the ringing', () => {
    const call = aCall({ wait_deadline: at(300), absence_deadline: at(50) });
    expect(effects(call, assignTo('ana'), change('assigned'), at(42.9), 60)).toEqual({
      ...NO_DEADLINES,
      status: 'assigned',
      user_id: 'ana',
      user_name: 'Ana',
      assigned_at: at(42.9),
      agent_connected_at: null,
      wait_time: 42,
      ring_deadline: at(102.9),
    });
  });

  it('handing over rings anew and keeps the wait', () => {
    const call = aCall({ status: 'assigned', user_id: 'bob', wait_time: 42, ring_deadline: at(100) });
    const changes = effects(call, assignTo('ana'), change('assigned'), at(90), 60);
    expect(changes).toMatchObject({ user_id: 'ana', wait_time: 42, ring_deadline: at(150) });
  });

  it('assigning to nobody is a mistake of ours', () => {
    expect(() => effects(aCall(), { trigger: 'assign' }, change('assigned'), T0, 60)).toThrow('assignee');
  });

  it('starting sets started_at once and stops the ringing', () => {
    const call = aCall({ status: 'assigned', ring_deadline: at(60) });
    const move: TransitionRequest = { trigger: 'start' };
    expect(effects(call, move, change('active'), at(10), 60)).toEqual({
      ...NO_DEADLINES,
      status: 'active',
      started_at: at(10),
    });
    const again = effects({ ...call, started_at: at(5) }, move, change('active'), at(10), 60);
    expect(again.started_at).toEqual(at(5));
  });

  const endings: {
    name: string;
    call: Partial<Call>;
    to: TargetStatus;
    reason: EndReason;
    expected: Partial<Call>;
  }[] = [
    {
      name: 'completed after talking',
      call: { status: 'active', started_at: at(40), wait_time: 30 },
      to: 'completed',
      reason: 'normal',
      expected: { completed_at: at(100), duration: 60, wait_time: 30 },
    },
    {
      name: 'completed without having started',
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
      expected: { completed_at: null, duration: null, wait_time: 30 },
    },
    {
      name: 'abandoned in the queue',
      call: { status: 'queued' },
      to: 'abandoned',
      reason: 'abandoned',
      expected: { completed_at: null, duration: null, wait_time: 100 },
    },
  ];

  it.each(endings)('$name', ({ call, to, reason, expected }) => {
    const before = aCall({ ...call, wait_deadline: at(1), agent_grace_deadline: at(2) });
    expect(effects(before, { trigger: 'complete' }, change(to, reason), at(100), 60)).toEqual({
      ...NO_DEADLINES,
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
  ])('notes %j', (notes, expected) => {
    const call = aCall({ status: 'active', notes: 'kept' });
    const changes = effects(call, { trigger: 'complete', notes }, change('completed', 'normal'), T0, 60);
    expect('notes' in changes ? { notes: changes.notes } : {}).toEqual(expected);
  });
});

describe('seconds', () => {
  it('are whole and never negative', () => {
    expect(secondsBetween(at(0), at(1.999))).toBe(1);
    expect(secondsBetween(at(5), at(0))).toBe(0);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 0, max: 999 }), (seconds, ms) => {
        expect(secondsBetween(T0, at(seconds + ms / 1000))).toBe(seconds);
      }),
    );
  });
});

describe('the deadline that is due', () => {
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
  ] as const)('while %s with %o is %s', (status, deadlines, trigger) => {
    expect(dueTrigger(aCall({ status, ...deadlines }), T0)).toBe(trigger);
  });
});

describe('a waiting call goes before the others', () => {
  it.each<[string, Partial<Call>, boolean]>([
    ['when its time has come', { status: 'queued', priority_deadline: at(100) }, true],
    ['not before', { status: 'queued', priority_deadline: at(101) }, false],
    ['not without such a time', { status: 'queued', priority_deadline: null }, false],
    ['not once somebody took it', { status: 'assigned', priority_deadline: at(1) }, false],
  ])('%s', (_when, call, expected) => {
    expect(gainsPriority(aCall(call), at(100))).toBe(expected);
  });
});
