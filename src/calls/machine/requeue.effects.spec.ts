import fc from 'fast-check';
import type { Call } from '../call.entity';
import { effectsOf } from './call.effects';
import type { TransitionRequest } from './call.machine';
import { requeued, returnsToQueue } from './requeue.effects';

const T0 = new Date('2026-01-31T12:00:00.000Z');
const at = (seconds: number) => new Date(T0.getTime() + seconds * 1000);

const PRESENT = { absent_since: null, absence_deadline: null };

const waiting = {
  status: 'queued',
  user_id: null,
  inserted_at: T0,
  assigned_at: null,
  started_at: null,
  wait_time: null,
  wait_deadline: at(300),
  absence_deadline: null,
  priority_deadline: at(200),
  priority_since: null,
  suspended_wait_deadline: null,
  suspended_priority_deadline: null,
  unanswered_count: 0,
} as Call;

/** The call after a transition. */
function after(call: Call, move: TransitionRequest, to: 'assigned' | 'queued' | 'active', now: Date): Call {
  const transition = { kind: 'transition', to, end_reason: null } as const;
  return { ...call, ...effectsOf({ call, move, transition, now, ringSeconds: 60 }) };
}

const assign = (call: Call, id: string, now: Date) =>
  after(call, { trigger: 'assign', assignee: { id, name: id, explicit: true } }, 'assigned', now);

const requeue = (call: Call, now: Date, is_unanswered = true, absence: typeof absentFrom = PRESENT) =>
  after(call, { trigger: 'requeue', requeue: { is_unanswered, absence } }, 'queued', now);

const absentFrom: Pick<Call, 'absent_since' | 'absence_deadline'> = {
  absent_since: at(160),
  absence_deadline: at(460),
};

describe('requeueing', () => {
  it('returns a call to its place without its agent, with the rest of its maximum wait', () => {
    const call = requeue(assign(waiting, 'ana', at(100)), at(160));
    expect(call).toMatchObject({
      status: 'queued',
      user_id: null,
      user_name: null,
      assigned_at: null,
      agent_connected_at: null,
      wait_time: null,
      wait_deadline: at(360),
      priority_deadline: at(200),
      suspended_wait_deadline: null,
      suspended_priority_deadline: null,
      ring_deadline: null,
      unanswered_count: 1,
      ...PRESENT,
    });
  });

  it('changes neither the time of the join nor the priority', () => {
    const changes = requeued(
      assign({ ...waiting, priority_since: at(10) }, 'ana', at(100)),
      { trigger: 'requeue', requeue: { is_unanswered: true, absence: PRESENT } },
      at(160),
    );
    expect(Object.keys(changes)).not.toContain('priority_since');
    expect(Object.keys(changes)).not.toContain('inserted_at');
  });

  it('moves the deadline of the wait by the whole time with several agents', () => {
    const handedOver = assign(assign(waiting, 'ana', at(100)), 'bob', at(120));
    expect(handedOver).toMatchObject({ wait_time: 120, suspended_wait_deadline: at(320) });
    expect(requeue(handedOver, at(180))).toMatchObject({
      wait_deadline: at(380),
      priority_deadline: at(200),
    });
  });

  it('begins the absence of a customer without a socket', () => {
    expect(requeue(assign(waiting, 'ana', at(100)), at(160), true, absentFrom)).toMatchObject(absentFrom);
  });

  it('counts only assignments that the agent did not answer', () => {
    const once = requeue(assign(waiting, 'ana', at(100)), at(160));
    const deactivated = requeue(assign(once, 'bob', at(170)), at(180), false);
    expect(deactivated.unanswered_count).toBe(1);
    expect(requeue(assign(deactivated, 'cid', at(190)), at(250)).unanswered_count).toBe(2);
  });

  it('takes the wait from the join to the last assignment', () => {
    const once = requeue(assign(waiting, 'ana', at(100)), at(160));
    expect(assign(once, 'bob', at(200)).wait_time).toBe(200);
  });

  it('keeps the wait of a call that was started before it was transferred', () => {
    const transferred = { ...waiting, started_at: at(110), wait_time: 100 };
    const returned = requeue(assign(transferred, 'bob', at(400)), at(460));
    expect(returned.wait_time).toBe(100);
    expect(assign(returned, 'cid', at(500)).wait_time).toBe(100);
  });

  it('forgets the suspended deadline of the wait when the call is started, but not that of an appointment', () => {
    expect(after(assign(waiting, 'ana', at(100)), { trigger: 'start' }, 'active', at(110))).toMatchObject({
      wait_deadline: null,
      priority_deadline: null,
      suspended_wait_deadline: null,
      suspended_priority_deadline: at(200),
    });
  });

  it('throws without its cause', () => {
    expect(() => requeued(assign(waiting, 'ana', T0), { trigger: 'requeue' }, T0)).toThrow('cause');
  });

  it('never shortens the wait, and lengthens it by exactly the time with agents', () => {
    const seconds = fc.array(fc.integer({ min: -1, max: 100 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(seconds, seconds, (first, second) => {
        let [call, now, assignedFor] = [waiting, T0, 0];
        for (const stays of [first, second]) {
          for (const stay of stays) {
            call = assign(call, 'ana', now);
            // The clock of the next instance may be behind.
            now = new Date(now.getTime() + stay * 1000);
            assignedFor += Math.max(0, stay);
          }
          call = requeue(call, now);
        }
        expect(call.wait_deadline).toEqual(at(300 + assignedFor));
      }),
    );
  });
});

describe('a call that was not started in time', () => {
  it.each([
    { unanswered: 0, max: 1, returns: false },
    { unanswered: 0, max: 2, returns: true },
    { unanswered: 1, max: 2, returns: false },
    { unanswered: 1, max: 3, returns: true },
    { unanswered: 2, max: 3, returns: false },
    { unanswered: 5, max: 3, returns: false },
  ])('$unanswered times before returns to the queue (of $max allowed): $returns', (row) => {
    const call = { unanswered_count: row.unanswered, suspended_wait_deadline: at(300) };
    expect(returnsToQueue(call, row.max)).toBe(row.returns);
  });

  it('is missed if an instance of the previous release assigned it', () => {
    expect(returnsToQueue({ unanswered_count: 0, suspended_wait_deadline: null }, 3)).toBe(false);
  });
});
