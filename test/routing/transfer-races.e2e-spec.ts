import { departmentEnded } from '../support/contexts/departments';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { partsOf } from '../support/contexts/line';
import { sweep } from '../support/contexts/sweep';
import { activeCall, requestTransfer } from '../support/contexts/transfers';
import { expectNoRetries, startWaiting } from '../support/database/lock-order';
import { callRow, eventsOf, oneTo, polledPositions } from '../support/database/rows';
import type { Answer, Json } from '../support/http/api';
import { raceRounds } from '../support/race-rounds';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import { type TestApp, withConnectionPool } from '../support/test-app';

const ROUNDS = raceRounds(100);
const STARTED = ['call.queued', 'call.assigned', 'call.started'];

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let supervisor: Member;
let link: Json;
let target: Json;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = withConnectionPool(await sharedTestApp());
  tenant = await TestTenant.register(test);
  agent = await tenant.member();
  supervisor = await tenant.member('supervisor');
  ({ link } = await tenant.queue({ max_queue_size: 1000 }));
  target = await tenant.department({ max_queue_size: 1000 });
});

afterAll(() => test.close());

expectNoRetries(() => [test]);

const post = (member: Member, { call_id }: Json, action: string, body?: Json) =>
  member.api.post(`/api/v1/calls/${call_id}/${action}`, body);
const transferToTarget = ({ call_id }: Json, member = agent) =>
  requestTransfer(member, call_id, { department_id: target.id });
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted();

/** The events of a call after its start. */
async function eventsAfterStart({ call_id }: Json): Promise<string[]> {
  const events = await eventsOf(test, call_id);
  expect(events.slice(0, 3)).toEqual(STARTED);
  expect((await callRow(test, call_id)).version).toBe(events.length);
  return events.slice(3);
}

/** Runs after a number of statements, which take less than a millisecond each. */
async function delayed<Result>(statements: number, step: () => Promise<Result>): Promise<Result> {
  for (let count = 0; count < statements; count++) await test.db.query('SELECT');
  return step();
}

/** The only open part belongs to an active call, and every other one has ended once. */
async function expectParts({ call_id }: Json, endedBy: (string | null)[]): Promise<void> {
  expect((await partsOf(test, call_id)).map((part) => part.ended_by)).toEqual(endedBy);
}

describe('a transfer to a department at the same time as', () => {
  it('the completion by the agent happens before it or not at all', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const entry = await activeCall(tenant, link, agent);
      const [transferred, completed] = await Promise.all([
        transferToTarget(entry),
        delayed(round % 5, () => post(agent, entry, 'complete')),
      ]);
      expectStatus(completed, 200);
      const events = await eventsAfterStart(entry);
      if (transferred.status === 200) {
        // Completing a waiting call assigns it first.
        expect(events).toEqual(['call.transferred', 'call.assigned', 'call.completed']);
        await expectParts(entry, ['transferred']);
      } else {
        expect(transferred.body.errors).toMatchObject({ code: 'invalid_transition' });
        expect(events).toEqual(['call.completed']);
        await expectParts(entry, ['completed']);
      }
    }
  });

  it('the customer hanging up leaves one of them without effect', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const entry = await activeCall(tenant, link, agent);
      const customer = await connect(entry.websocket_token);
      const [transferred, ack] = await Promise.all([
        transferToTarget(entry),
        delayed(round % 5, () => customer.send('end_call')),
      ]);
      expect([transferred.status === 200, ack.ok].toSorted()).toEqual([false, true]);
      const error = ack.ok ? transferred.body.errors : ack.error;
      expect(error).toMatchObject({ code: 'invalid_transition' });
      expect(await eventsAfterStart(entry)).toEqual([ack.ok ? 'call.completed' : 'call.transferred']);
      customer.close();
    }
  });

  it('the end of a grace period leaves one of them without effect', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const entry = await activeCall(tenant, link, agent);
      await test.db.query('UPDATE calls SET customer_grace_deadline = $2 WHERE id = $1', [
        entry.call_id,
        test.clock.now(),
      ]);
      const [transferred] = await Promise.all([
        transferToTarget(entry),
        delayed(round % 5, () => sweep(test)),
      ]);
      const isTransferred = transferred.status === 200;
      expect(await eventsAfterStart(entry)).toEqual([isTransferred ? 'call.transferred' : 'call.completed']);
      await expectParts(entry, [isTransferred ? 'transferred' : 'disconnect']);
      expect(await callRow(test, entry.call_id)).toMatchObject({ customer_grace_deadline: null });
    }
  });

  it('other transfers has one winner', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const entry = await activeCall(tenant, link, agent);
      const other = await tenant.department();
      const answers = await Promise.all([
        transferToTarget(entry),
        transferToTarget(entry, supervisor),
        requestTransfer(agent, entry.call_id, { department_id: other.id }),
      ]);
      expect(statuses(answers)).toEqual([200, 422, 422]);
      for (const { status, body } of answers) {
        if (status === 422) expect(body.errors).toMatchObject({ code: 'invalid_transition' });
      }
      expect(await eventsAfterStart(entry)).toEqual(['call.transferred']);
    }
  });
});

it('transfers to an agent offer the call once, and an agent one call', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [first, second] = [await activeCall(tenant, link, agent), await activeCall(tenant, link, agent)];
    const [one, other] = [await tenant.member(), await tenant.member()];
    await Promise.all([one, other].map(({ token }) => connect(token)));
    const offer = ({ call_id }: Json, { id }: Member) =>
      requestTransfer(supervisor, call_id, { user_id: id });
    const answers = await Promise.all([offer(first, one), offer(first, other), offer(second, one)]);
    const codes = answers.map(({ status, body }) => (status === 200 ? 'ok' : body.errors.code));
    const [toOne, toOther, secondToOne] = codes;
    // One of the first two wins the call; the third wins the agent unless the first one did.
    expect([toOne, toOther].filter((code) => code === 'ok')).toHaveLength(1);
    if (toOne === 'ok') {
      expect([toOther, secondToOne]).toEqual(['transfer_pending', 'agent_not_available']);
    } else {
      expect(secondToOne).toBe('ok');
      expect(['transfer_pending', 'agent_not_available']).toContain(toOne);
    }
  }
});

describe('transfers to a queue that is almost full', () => {
  it('and joins never exceed its size', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const queue = await tenant.queue({ max_queue_size: 3 });
      const active = await Promise.all(oneTo(4).map(() => activeCall(tenant, link, agent)));
      const answers = await Promise.all([
        ...active.map(({ call_id }) =>
          requestTransfer(agent, call_id, { department_id: queue.department.id }),
        ),
        ...oneTo(4).map(() => test.api.post(`/api/v1/call/${queue.link.token}/join`, { name: 'Ana' })),
      ]);
      expect(statuses(answers)).toEqual([200, 200, 200, 422, 422, 422, 422, 422]);
      for (const { status, body } of answers) {
        if (status === 422) expect(body.errors).toMatchObject({ code: 'queue_full' });
      }
      expect((await polledPositions(test, queue.department.id)).toSorted()).toEqual([1, 2, 3]);
    }
  });
});

describe('transfers in opposite directions', () => {
  it('do not deadlock with each other and the deletion of both departments', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [one, other] = [await tenant.queue(), await tenant.queue()];
      const [there, back] = [
        await activeCall(tenant, one.link, agent),
        await activeCall(tenant, other.link, agent),
      ];
      const answers = await Promise.all([
        requestTransfer(agent, there.call_id, { department_id: other.department.id }),
        requestTransfer(agent, back.call_id, { department_id: one.department.id }),
        ...[one, other].map(({ department }) =>
          delayed(round % 10, () => tenant.owner.api.delete(`/api/v1/departments/${department.id}`)),
        ),
      ]);
      for (const { status } of answers) expect([200, 204, 422]).toContain(status);
      for (const { department } of [one, other]) await departmentEnded(test, department.id);
      for (const { call_id } of [there, back]) {
        const row = await callRow(test, call_id);
        expect(['active', 'queued', 'cancelled']).toContain(row.status);
        // A call that has not ended is in a department that exists.
        if (row.ended_at === null) {
          const path = `/api/v1/departments/${row.department_id}`;
          expectStatus(await tenant.owner.api.get(path), 200);
        }
        expect(row.version).toBe((await eventsOf(test, call_id)).length);
      }
    }
  });

  it.each(['transfer first', 'deletion first'])(
    'do not deadlock while the transfer waits for the call: %s',
    async (order) => {
      const [one, other] = [await tenant.queue(), await tenant.queue()];
      const entry = await activeCall(tenant, one.link, agent);
      const steps = [
        () => requestTransfer(agent, entry.call_id, { department_id: other.department.id }),
        () => tenant.owner.api.delete(`/api/v1/departments/${one.department.id}`),
      ];
      const answers = await startWaiting(
        test,
        tenant,
        ['SELECT FROM calls WHERE id = $1 FOR UPDATE', entry.call_id],
        order === 'transfer first' ? steps : steps.toReversed(),
      );
      // The deletion does not wait for the call: it is active while the deletion looks.
      expect(answers.map(({ status }) => status)).toEqual(
        order === 'transfer first' ? [200, 422] : [422, 200],
      );
    },
  );

  it('to a department that is deleted meanwhile are refused', async () => {
    const queue = await tenant.queue();
    const entry = await activeCall(tenant, link, agent);
    const [deletion, transferred] = await startWaiting(
      test,
      tenant,
      ['SELECT FROM departments WHERE id = $1 FOR UPDATE', queue.department.id],
      [
        () => tenant.owner.api.delete(`/api/v1/departments/${queue.department.id}`),
        () => requestTransfer(agent, entry.call_id, { department_id: queue.department.id }),
      ],
    );
    expect(deletion).toMatchObject({ status: 204 });
    expect(transferred).toMatchObject({
      status: 422,
      body: { errors: { fields: { department_id: ['names a department that does not exist'] } } },
    });
    expect(await callRow(test, entry.call_id)).toMatchObject({ status: 'active' });
  });
});
