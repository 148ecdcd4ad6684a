import { Database } from '../../src/platform/database/database';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { book, bookConfirmed, createCustomer, freeSlot } from '../support/contexts/appointments';
import { callbackRequested, callbackRow } from '../support/contexts/callbacks';
import { departmentEnded } from '../support/contexts/departments';
import { insertWaitingCalls } from '../support/contexts/line';
import { uploadRecording } from '../support/contexts/recordings';
import { recordingOf, TusClient } from '../support/contexts/tus';
import { expectFailure } from '../support/database/failures';
import { countWaitersFor } from '../support/database/lock-waiters';
import { callRow, oneTo } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { upload } from '../support/http/multipart';
import { raceRounds } from '../support/race-rounds';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** An instance that runs no jobs, so that what a deleted department left behind stays as it is. */
let idle: TestApp;
let tenant: TestTenant;
let owner: Member['api'];

beforeAll(async () => {
  idle = await startTestApp({ runsJobs: false });
  tenant = await TestTenant.register(idle);
  owner = tenant.owner.api;
});

afterAll(() => idle.close());

const remove = async ({ id }: Json) => expectStatus(await owner.delete(`/api/v1/departments/${id}`), 204);

/** Runs the jobs of the instance's database by another instance, until the department is ended. */
async function endBy({ id }: Json): Promise<void> {
  const worker = await startTestApp({ databaseUrl: idle.databaseUrl });
  try {
    await departmentEnded(worker, id);
  } finally {
    await worker.close();
  }
}

const insertLinks = ({ id: tenantId }: TestTenant, { id }: Json, count: number) =>
  idle.db.query(
    `INSERT INTO access_links (tenant_id, token, department_id, inserted_at)
     SELECT $1, gen_random_uuid(), $2, now() FROM generate_series(1, $3)`,
    [tenantId, id, count],
  );

const invalidFields = (answer: { body: Json }) => Object.keys(answer.body.errors.fields);

describe('a department that was just deleted', () => {
  let department: Json;
  let link: Json;
  let past: Json;
  let waiting: Json;
  let appointment: Json;
  let foreign: { department: Json; link: Json };

  beforeAll(async () => {
    ({ department, link } = await tenant.queue({ name: 'Vendas', callback_enabled: true }));
    foreign = await tenant.queue({ overflow_after: 1, overflow_department_id: department.id });
    past = await tenant.join(link);
    expectStatus(await owner.post(`/api/v1/calls/${past.call_id}/complete`), 200);
    waiting = await tenant.join(link);
    appointment = await bookConfirmed(tenant, { ...freeSlot(idle), department_id: department.id });
    await remove(department);
  });

  it('does not keep the customer of a waiting call, whom it has promised a callback, from being erased', async () => {
    const deleted = await tenant.queue({ callback_enabled: true });
    const email = 'vera@example.com';
    const { call_id, websocket_token } = await tenant.join(deleted.link, { name: 'Vera', email });
    await callbackRequested(idle, { call_id, websocket_token });
    await idle.db.query(`UPDATE callbacks SET channel = 'email', email = $2 WHERE call_id = $1`, [
      call_id,
      email,
    ]);
    const { customer_id } = await callRow(idle, call_id);
    await remove(deleted.department);
    expectStatus(await owner.post(`/api/v1/customers/${customer_id}/erase`), 200);
    expect(await callRow(idle, call_id)).toMatchObject({ customer_id: null, customer_email: null });
    const nothing = { email: null, next_attempt_at: null, next_deadline: null };
    expect(await callbackRow(idle, call_id)).toMatchObject(nothing);
  });

  it('is in no list and has neither members nor hours any more', async () => {
    expect((await owner.get('/api/v1/departments')).body.data.map(({ id }: Json) => id)).toEqual([
      foreign.department.id,
    ]);
    for (const path of ['', '/users', '/hours']) {
      expect((await owner.get(`/api/v1/departments/${department.id}${path}`)).status).toBe(404);
    }
    expect((await owner.get('/api/v1/billing/plan')).body.data.usage).toMatchObject({
      active_departments: 1,
      active_links: 1,
    });
    expect((await owner.get(`/api/v1/departments/${foreign.department.id}`)).body.data).toMatchObject({
      overflow_department_id: null,
    });
  });

  it('leaves its identifier to a new one', async () => {
    const again = await tenant.department({ name: 'Vendas' });
    expect(again.identifier).toBe(department.identifier);
    await remove(again);
  });

  it('has no valid link, and its links are cancelled in lists, filters and appointments', async () => {
    expect((await owner.get(`/api/v1/access-links/${link.id}`)).body.data).toMatchObject({
      status: 'cancelled',
      department_id: null,
      department_name: 'Vendas',
    });
    const listed = async (filter: string): Promise<string[]> =>
      (await owner.get(`/api/v1/access-links?${filter}`)).body.data.map(({ id }: Json) => id);
    expect(await listed('status=active')).toEqual([foreign.link.id]);
    expect(await listed('status=cancelled')).toContain(link.id);
    expect(await listed(`department_id=${department.id}`)).toEqual([]);
    expectFailure(await idle.api.get(`/api/v1/call/${link.token}/validate`), 404, { code: 'link_cancelled' });
    expectFailure(await idle.api.post(`/api/v1/call/${link.token}/join`, { name: 'Late' }), 404, {
      code: 'link_cancelled',
    });
    const { data } = (await owner.get(`/api/v1/appointments/${appointment.id}`)).body;
    expect(data).toMatchObject({ department_id: null, access_link: { status: 'cancelled' } });
    expect((await owner.get(`/api/v1/appointments?department_id=${department.id}`)).body.data).toEqual([]);
  });

  it('takes no link, appointment, member, transfer or overflow', async () => {
    const { id } = department;
    const created = await owner.post('/api/v1/access-links', { department_id: id });
    expect([created.status, invalidFields(created)]).toEqual([422, ['department_id']]);
    const batch = await owner.post('/api/v1/access-links/batch', { links: [{ department_id: id }] });
    expect([batch.status, invalidFields(batch)]).toEqual([422, ['links.0.department_id']]);
    const slot = { user_id: tenant.owner.id, ...freeSlot(idle) };
    const booked = await owner.post('/api/v1/appointments', { ...slot, department_id: id });
    expect([booked.status, invalidFields(booked)]).toEqual([422, ['department_id']]);
    const { id: free } = await book(tenant, freeSlot(idle));
    const moved = await owner.put(`/api/v1/appointments/${free}`, { department_id: id });
    expect([moved.status, invalidFields(moved)]).toEqual([422, ['department_id']]);
    expect((await owner.post(`/api/v1/departments/${id}/users`, { user_id: tenant.owner.id })).status).toBe(
      404,
    );
    const overflow = { overflow_after: 5, overflow_department_id: id };
    expect((await owner.put(`/api/v1/departments/${foreign.department.id}`, overflow)).status).toBe(422);
    const { call_id } = await tenant.join(foreign.link);
    expectStatus(await owner.post(`/api/v1/calls/${call_id}/start`), 200);
    expect((await owner.post(`/api/v1/calls/${call_id}/transfer`, { department_id: id })).status).toBe(422);
    expectStatus(await owner.post(`/api/v1/calls/${call_id}/complete`), 200);
  });

  it('takes no upload to its calls', async () => {
    const { call_id } = past;
    const { token } = tenant.owner;
    const refused = { code: 'department_deleted' };
    expectFailure(await uploadRecording(idle, call_id, tenant.owner), 422, refused);
    const file = await upload(
      idle,
      `/api/v1/calls/${call_id}/upload`,
      [['file', Buffer.from('A note'), 'a.txt']],
      { token },
    );
    expectFailure(file, 422, refused);
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': '64' };
    const tus = await owner.post(`/api/v1/calls/${call_id}/recording/tus`, undefined, { headers });
    expectFailure(tus, 422, refused);
  });

  it('gives its waiting calls to no agent, and their customers can still ask and leave', async () => {
    const { call_id, websocket_token: token } = waiting;
    for (const action of ['assign', 'start']) {
      expectFailure(await owner.post(`/api/v1/calls/${call_id}/${action}`), 422, {
        code: 'invalid_transition',
      });
    }
    expectStatus(await owner.get(`/api/v1/calls/${call_id}`), 200);
    expectStatus(await owner.get('/api/v1/calls?status=queued'), 200);
    expect((await idle.api.get(`/api/v1/call/status/${call_id}`)).body.data.status).toBe('queued');
    const callback = await idle.api.post(
      `/api/v1/call/callback/${call_id}`,
      { channel: 'email', email: 'ana@example.com' },
      { token },
    );
    expect(callback.status).toBe(422);
    expectStatus(await idle.api.post('/api/v1/call/resume', { websocket_token: token }), 200);
    expectStatus(await idle.api.post(`/api/v1/call/cancel/${call_id}`, undefined, { token }), 200);
  });

  it('is ended by the next instance that runs jobs, with events of its appointments and calls only', async () => {
    await endBy(department);
    const before = new Date();
    const other = await tenant.queue({ max_queue_size: 100 });
    const waiters = await Promise.all(oneTo(60).map(() => tenant.join(other.link)));
    for (let count = 0; count < 3; count++) await tenant.link(other.department.id);
    const { id } = await book(tenant, { ...freeSlot(idle), department_id: other.department.id });
    await remove(other.department);
    await endBy(other.department);
    const { rows: calls } = await idle.db.query(
      'SELECT status, count(*)::int FROM calls WHERE id = ANY ($1) GROUP BY status',
      [waiters.map(({ call_id }) => call_id)],
    );
    expect(calls).toEqual([{ status: 'cancelled', count: 60 }]);
    expect((await owner.get(`/api/v1/appointments/${id}`)).body.data.status).toBe('cancelled');
    const { rows: left } = await idle.db.query(
      `SELECT FROM access_links WHERE department_id = $1
       UNION ALL SELECT FROM appointments WHERE department_id = $1
       UNION ALL SELECT FROM queue_changes WHERE department_id = $1
       UNION ALL SELECT FROM ended_waits WHERE department_id = $1
       UNION ALL SELECT FROM line_entries WHERE department_id = $1`,
      [other.department.id],
    );
    expect(left).toEqual([]);
    const { rows: events } = await idle.db.query(
      `SELECT type, count(*)::int FROM domain_events
       WHERE type IN ('access_link.cancelled', 'call.cancelled', 'appointment.cancelled') AND occurred_at > $1
       GROUP BY type ORDER BY type`,
      [before],
    );
    expect(events).toEqual([
      { type: 'appointment.cancelled', count: 1 },
      { type: 'call.cancelled', count: 60 },
    ]);
  });
});

it('counts the link of an appointment that leaves a deleted department as a new one', async () => {
  const free = await TestTenant.register(idle, 'free');
  const { api } = free.owner;
  const department = await free.department();
  const { id } = await bookConfirmed(free, { ...freeSlot(idle), department_id: department.id });
  expectStatus(await api.delete(`/api/v1/departments/${department.id}`), 204);
  const other = await free.department();
  await insertLinks(free, other, 500);
  await idle.db.query('UPDATE tenants SET active_links_bound = NULL WHERE id = $1', [free.id]);
  const move = () => api.put(`/api/v1/appointments/${id}`, { department_id: other.id });
  expectFailure(await move(), 403, { code: 'plan_limit' });
  await idle.db.query(
    `UPDATE access_links SET cancelled_at = now()
     WHERE id = (SELECT id FROM access_links WHERE department_id = $1 LIMIT 1)`,
    [other.id],
  );
  const answer = await move();
  expectStatus(answer, 200);
  expect(answer.body.data.access_link.status).toBe('scheduled');
  expect((await api.get('/api/v1/billing/plan')).body.data.usage.active_links).toBe(500);
});

it('takes no further part of an upload that began before', async () => {
  const { department, link } = await tenant.queue();
  const { call_id } = await tenant.join(link);
  expectStatus(await owner.post(`/api/v1/calls/${call_id}/complete`), 200);
  const peer = new TusClient(idle.url, tenant.owner.token);
  const content = recordingOf(2000);
  const [live, file] = [await peer.begin(call_id), await peer.begin(call_id, 2000)];
  for (const location of [live, file]) {
    expect((await peer.patch(location, 0, content.subarray(0, 1000))).status).toBe(204);
  }
  await remove(department);
  await endBy(department);
  const answers = [];
  for (const location of [live, file]) answers.push(await peer.patch(location, 1000, content.subarray(1000)));
  expect(answers.map(({ status }) => status)).toEqual([413, 404]);
  const { rows } = await idle.db.query(
    `SELECT received FROM recording_uploads WHERE call_id = $1 AND received = length
     UNION ALL SELECT size FROM recordings WHERE call_id = $1`,
    [call_id],
  );
  // What was received of the live recording is kept.
  expect(rows).toEqual([{ received: '1000' }]);
  expect(await peer.offset(file)).toBe(-1);
});

it('has its calls ended behind others that leave it meanwhile', async () => {
  const [department, other] = [await tenant.department(), await tenant.department()];
  await insertWaitingCalls(idle, tenant.id, department.id, 51);
  const worker = await startTestApp({ databaseUrl: idle.databaseUrl });
  try {
    // As many calls as are cancelled at once leave while the job waits for them.
    await idle.get(Database).tenant(tenant.id, async (tx) => {
      await tx.query(
        `UPDATE calls SET department_id = $2 WHERE id IN (
           SELECT id FROM calls WHERE department_id = $1 ORDER BY priority_since, rank_at, queue_number LIMIT 50)`,
        [department.id, other.id],
      );
      const [holder] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await remove(department);
      await until(async () => (await countWaitersFor(worker, holder?.pid ?? 0)) > 0);
    });
    await departmentEnded(worker, department.id);
  } finally {
    await worker.close();
  }
  const { rows } = await idle.db.query(
    `SELECT status, count(*)::int FROM calls WHERE department_id = ANY ($1) GROUP BY status ORDER BY status`,
    [[department.id, other.id]],
  );
  expect(rows).toEqual([
    { status: 'cancelled', count: 1 },
    { status: 'queued', count: 50 },
  ]);
});

describe('the deletion of a department', () => {
  it('and an agent who takes a call are decided by the database: exactly one succeeds', async () => {
    for (let round = 0; round < raceRounds(20, 6); round++) {
      const { department, link } = await tenant.queue();
      const { call_id } = await tenant.join(link);
      const action = round % 2 === 0 ? 'assign' : 'start';
      const take = () => owner.post(`/api/v1/calls/${call_id}/${action}`);
      const requests = [take, () => owner.delete(`/api/v1/departments/${department.id}`)];
      if (round % 3 === 0) requests.reverse();
      const statuses = (await Promise.all(requests.map((send) => send()))).map(({ status }) => status);
      if (round % 3 === 0) statuses.reverse();
      expect([
        [200, 422],
        [422, 204],
      ]).toContainEqual(statuses);
      const { rows } = await idle.db.query('SELECT status FROM calls WHERE id = $1', [call_id]);
      expect(rows[0].status === 'queued').toBe(statuses[0] === 422);
    }
  });

  it('and links and appointments that are made meanwhile leave none of a deleted department', async () => {
    for (let round = 0; round < raceRounds(12, 4); round++) {
      const department = await tenant.department();
      const customer = await createCustomer(tenant);
      const input = { department_id: department.id, customer_id: customer.id };
      const [deleted, ...created] = await Promise.all([
        owner.delete(`/api/v1/departments/${department.id}`),
        owner.post('/api/v1/access-links', input),
        owner.post('/api/v1/access-links/batch', { links: [input, input] }),
        owner.post('/api/v1/appointments', { user_id: tenant.owner.id, ...freeSlot(idle), ...input }),
      ]);
      expectStatus(deleted, 204);
      for (const { status } of created) expect([201, 422]).toContain(status);
      await endBy(department);
      const { rows } = await idle.db.query(
        `SELECT FROM access_links WHERE department_id = $1
         UNION ALL SELECT FROM appointments WHERE department_id = $1`,
        [department.id],
      );
      expect(rows).toEqual([]);
    }
  });
});

it('goes on behind the batches of other departments', async () => {
  const first = await tenant.department();
  const second = await tenant.department();
  for (const [department, count] of [
    [first, 2500],
    [second, 1],
  ] as [Json, number][]) {
    await insertLinks(tenant, department, count);
  }
  await remove(first);
  await remove(second);
  await endBy(first);
  await endBy(second);
  const { rows } = await idle.db.query<{ id: string }>(
    `SELECT data ->> 'id' AS id FROM pgboss.job
     WHERE name = 'deletion-endings' AND data ->> 'ending' = 'links' AND data ->> 'id' = ANY ($1)
     ORDER BY completed_on`,
    [[first.id, second.id]],
  );
  const order = rows.map(({ id }) => (id === first.id ? 1 : 2));
  expect(order.slice(0, 4)).toEqual([1, 2, 1, 2]);
  expect(order.slice(4)).toEqual([1, 1]);
});
