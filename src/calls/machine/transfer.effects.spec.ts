import { fake } from '../../../test/support/fake';
import type { Call } from '../call.entity';
import { effectsOf } from './call.effects';
import type { TargetStatus, TransitionRequest } from './call.machine';
import { takenOver, transferred } from './transfer.effects';

const T0 = new Date('2026-01-31T12:00:00.000Z');
const at = (seconds: number) => new Date(T0.getTime() + seconds * 1000);

const CONNECTED = { absent_since: null, absence_deadline: null };
const ABSENT = { absent_since: at(500), absence_deadline: at(800) };

/** A call that Ana of the first department started after a wait of 100 s. */
const active = fake<Call>({
  status: 'active',
  version: 4,
  department_id: 'first',
  department_name: 'First',
  user_id: 'ana',
  user_name: 'Ana',
  inserted_at: T0,
  assigned_at: at(100),
  started_at: at(110),
  agent_connected_at: at(111),
  customer_connected_at: at(1),
  wait_time: 100,
  wait_deadline: null,
  ring_deadline: null,
  customer_grace_deadline: null,
  agent_grace_deadline: null,
  suspended_wait_deadline: null,
  suspended_priority_deadline: null,
  priority_since: at(20),
  priority_deadline: null,
  rank_at: at(-60),
  priority: 1,
  required_skills: [{ skill_id: 'skill', min_level: 3 }],
  reserved_user_id: 'ana',
  unanswered_count: 2,
  transferred_at: null,
  ...CONNECTED,
});

/** The call after a transition. */
function after(call: Call, move: TransitionRequest, to: TargetStatus, now: Date): Call {
  const end_reason = to === 'completed' ? 'normal' : null;
  const transition = { kind: 'transition', to, end_reason } as const;
  return { ...call, ...effectsOf({ call, move, transition, now, ringSeconds: 60 }) };
}

const assignee = { id: 'bob', name: 'Bob', explicit: true };

const transfer = (call: Call, absence: typeof ABSENT | typeof CONNECTED = CONNECTED) =>
  after(
    call,
    {
      trigger: 'transfer',
      transfer: { department: { id: 'second', name: 'Second', max_wait_time: 600 }, absence },
    },
    'queued',
    at(500),
  );
const assign = (call: Call, now: Date) => after(call, { trigger: 'assign', assignee }, 'assigned', now);
const start = (call: Call, now: Date) => after(call, { trigger: 'start' }, 'active', now);
const requeue = (call: Call, now: Date) =>
  after(call, { trigger: 'requeue', requeue: { is_unanswered: true, absence: CONNECTED } }, 'queued', now);
const takeOver = (call: Call, now: Date) => after(call, { trigger: 'take_over', assignee }, 'active', now);

describe('the transfer of a call to a department', () => {
  it.each<[string, Partial<Call>, Partial<Call>]>([
    ['waits there', {}, { status: 'queued', department_id: 'second', department_name: 'Second' }],
    ['has no agent', {}, { user_id: null, user_name: null, assigned_at: null, agent_connected_at: null }],
    ['waits for the max_wait_time of the department', {}, { wait_deadline: at(1100) }],
    [
      'keeps the times of its first wait and start',
      {},
      { started_at: at(110), wait_time: 100, inserted_at: T0 },
    ],
    ['keeps its rank and its priority', {}, { rank_at: at(-60), priority_since: at(20), priority: 1 }],
    [
      'still gets the priority of its appointment',
      { priority_since: null, suspended_priority_deadline: at(900) },
      { priority_since: null, priority_deadline: at(900), suspended_priority_deadline: null },
    ],
    ['needs no skills', {}, { required_skills: [] }],
    ['is not reserved', {}, { reserved_user_id: null }],
    ['keeps the number of unanswered assignments', {}, { unanswered_count: 2 }],
    [
      'has no grace periods',
      { customer_grace_deadline: at(510), agent_grace_deadline: at(520) },
      { customer_grace_deadline: null, agent_grace_deadline: null },
    ],
    [
      'shows where it came from',
      {},
      {
        transferred_from_department_id: 'first',
        transferred_from_user_id: 'ana',
        transferred_at: at(500),
      },
    ],
    [
      'shows the last one of several transfers',
      {
        transferred_from_department_id: 'zero',
        transferred_from_user_id: 'zoe',
        transferred_at: at(200),
      },
      {
        transferred_from_department_id: 'first',
        transferred_from_user_id: 'ana',
        transferred_at: at(500),
      },
    ],
  ])('the call %s', (_, before, expected) => {
    expect(transfer({ ...active, ...before })).toMatchObject(expected);
  });

  it.each([
    ['present with an open socket', CONNECTED],
    ['absent without one', ABSENT],
  ])('the customer is %s', (_, absence) => {
    expect(transfer(active, absence)).toMatchObject(absence);
  });

  it('changes none of the columns that decide the order of the queue', () => {
    const move = {
      trigger: 'transfer',
      transfer: { department: { id: 'second', name: 'Second', max_wait_time: 600 }, absence: CONNECTED },
    } as const;
    const columns = Object.keys(transferred(active, move, at(500)));
    for (const column of ['rank_at', 'priority', 'priority_since', 'inserted_at']) {
      expect(columns).not.toContain(column);
    }
  });

  it('throws without the department', () => {
    expect(() => transferred(active, { trigger: 'transfer' }, T0)).toThrow('department');
  });
});

describe('a call that was transferred to a department', () => {
  it('is assigned and started again without changing its first wait and start', () => {
    const assigned = assign(transfer(active), at(700));
    expect(assigned).toMatchObject({
      wait_time: 100,
      started_at: at(110),
      assigned_at: at(700),
      suspended_wait_deadline: at(1100),
    });
    expect(start(assigned, at(710))).toMatchObject({
      status: 'active',
      user_id: 'bob',
      wait_time: 100,
      started_at: at(110),
    });
  });

  it('keeps the time of its appointment with each agent, until it ends', () => {
    const APPOINTED = { priority_deadline: at(900) };
    const SUSPENDED = { priority_deadline: null, suspended_priority_deadline: at(900) };
    const first = takeOver(
      { ...active, priority_since: null, suspended_priority_deadline: at(900) },
      at(300),
    );
    expect(first).toMatchObject(SUSPENDED);
    const second = start(assign(transfer(first), at(700)), at(710));
    expect(second).toMatchObject(SUSPENDED);
    expect(transfer(second)).toMatchObject(APPOINTED);
    const completed = after(second, { trigger: 'complete' }, 'completed', at(910));
    expect(completed).toMatchObject({ priority_deadline: null, suspended_priority_deadline: null });
  });

  it('keeps them when the next agent does not start it in time', () => {
    expect(requeue(assign(transfer(active), at(700)), at(760))).toMatchObject({
      wait_time: 100,
      started_at: at(110),
      wait_deadline: at(1160),
      unanswered_count: 3,
    });
  });

  it('lasts from its first start to its completion', () => {
    const restarted = start(assign(transfer(active), at(700)), at(710));
    const move = { trigger: 'complete' } as const;
    expect(after(restarted, move, 'completed', at(910))).toMatchObject({ duration: 800, wait_time: 100 });
  });

  it('keeps the first wait when its customer leaves', () => {
    const left = after(transfer(active), { trigger: 'cancel' }, 'cancelled', at(600));
    expect(left).toMatchObject({ wait_time: 100, started_at: at(110), duration: null });
  });
});

describe('an agent who takes over a call', () => {
  it.each<[string, Partial<Call>, Partial<Call>]>([
    ['is its agent', {}, { status: 'active', user_id: 'bob', user_name: 'Bob', assigned_at: at(500) }],
    ['has not connected to it yet', {}, { agent_connected_at: null }],
    ['finds the times of its first wait and start', {}, { started_at: at(110), wait_time: 100 }],
    ['finds it in its department', {}, { department_id: 'first', department_name: 'First' }],
    [
      'ends the grace period of the former agent',
      { agent_grace_deadline: at(520) },
      { agent_grace_deadline: null },
    ],
    [
      'does not end that of the customer',
      { customer_grace_deadline: at(510) },
      { customer_grace_deadline: at(510) },
    ],
    [
      'sees who had it',
      {},
      {
        transferred_from_department_id: 'first',
        transferred_from_user_id: 'ana',
        transferred_at: at(500),
      },
    ],
  ])('%s', (_, before, expected) => {
    expect(takeOver({ ...active, ...before }, at(500))).toMatchObject(expected);
  });

  it('throws without the agent', () => {
    expect(() => takenOver(active, { trigger: 'take_over' }, T0)).toThrow('assignee');
  });
});
