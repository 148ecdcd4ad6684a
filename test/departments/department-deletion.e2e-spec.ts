import { CallTransitions } from '../../src/calls/machine/call-transitions';
import { Database } from '../../src/platform/database/database';
import type { Json } from '../support/http/api';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { bookConfirmed, freeSlot } from '../support/contexts/appointments';
import { startWaiting } from '../support/database/lock-order';
import { csvRows } from '../support/contexts/csv';
import { departmentEnded } from '../support/contexts/departments';
import { createRecording, uploadRecording } from '../support/contexts/recordings';
import { TestSocket } from '../support/sockets/socket';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let owner: Member['api'];

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  owner = tenant.owner.api;
});

afterAll(() => test.close());

const deleteDepartment = (id: string) => owner.delete(`/api/v1/departments/${id}`);
const getCall = async (id: string): Promise<Json> => (await owner.get(`/api/v1/calls/${id}`)).body.data;
const transitionCall = async (id: string, action: string) =>
  expectStatus(await owner.post(`/api/v1/calls/${id}/${action}`), 200);

/** The departments to which calls refer by the foreign key, which prevents their deletion. */
async function departmentsReferredToBy(callIds: string[]): Promise<(string | null)[]> {
  const { rows } = await test.db.query(
    `SELECT existing_department_id FROM calls WHERE id = ANY ($1) ORDER BY existing_department_id`,
    [callIds],
  );
  return rows.map((row) => row.existing_department_id);
}

describe('deleting a department', () => {
  it('deletes the department and its memberships', async () => {
    const { id } = await tenant.department();
    const member = await tenant.member('attendant', [id]);
    const answer = await deleteDepartment(id);
    expect([answer.status, answer.body]).toEqual([204, '']);
    expectFailure(await owner.get(`/api/v1/departments/${id}`), 404);
    expectFailure(await deleteDepartment(id), 404);
    expect((await member.api.get('/api/v1/users/me')).body.data.department_ids).toEqual([]);
  });

  it('cancels its access links, which keep the department name', async () => {
    const { department, link } = await tenant.queue({ name: 'Gone Soon' });
    expect(link).toMatchObject({ status: 'active', department_id: department.id });
    expectStatus(await deleteDepartment(department.id), 204);
    const cancelled = { ...link, status: 'cancelled', department_id: null, department_name: 'Gone Soon' };
    // At once, also if the job has not written it yet.
    expect((await owner.get(`/api/v1/access-links/${link.id}`)).body.data).toEqual(cancelled);
    await departmentEnded(test, department.id);
    expect((await owner.get(`/api/v1/access-links/${link.id}`)).body.data).toEqual(cancelled);
    const { rows } = await test.db.query(
      'SELECT department_id, department_name, cancelled_at FROM access_links WHERE id = $1',
      [link.id],
    );
    expect(rows).toEqual([
      { department_id: null, department_name: 'Gone Soon', cancelled_at: expect.any(Date) },
    ]);
    expectFailure(await test.api.get(`/api/v1/call/${link.token}/validate`), 404, { code: 'link_cancelled' });
    expectFailure(await test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Late' }), 404);
  });

  it('has one event, which stands for the links of the department and of its appointments', async () => {
    const { department, link } = await tenant.queue();
    const { access_link } = await bookConfirmed(tenant, {
      ...freeSlot(test),
      department_id: department.id,
    });
    expectStatus(await deleteDepartment(department.id), 204);
    await departmentEnded(test, department.id);
    const { rows } = await test.db.query(
      `SELECT type FROM domain_events WHERE subject_id = ANY ($1) AND type <> ALL ($2) ORDER BY id`,
      [
        [link.id, access_link.id, department.id],
        ['department.created', 'access_link.created'],
      ],
    );
    expect(rows).toEqual([{ type: 'department.deleted' }]);
    expect((await owner.get(`/api/v1/access-links/${access_link.id}`)).body.data.status).toBe('cancelled');
  });

  it('cancels waiting calls and notifies their customers', async () => {
    const { department, link } = await tenant.queue();
    const waiting = await tenant.join(link);
    const socket = await TestSocket.connect(test.url, waiting.websocket_token);
    expectStatus(await deleteDepartment(department.id), 204);
    expect(await socket.waitFor('call_ended')).toMatchObject({ status: 'cancelled' });
    socket.close();
    await departmentEnded(test, department.id);
    expect(await getCall(waiting.call_id)).toMatchObject({
      status: 'cancelled',
      department_id: department.id,
      department_name: department.name,
    });
    const { body } = await test.api.get(`/api/v1/call/status/${waiting.call_id}`);
    expect(body.data).toMatchObject({ status: 'cancelled', position: 0, estimated_wait_time: 0 });
  });

  it('keeps the department of past calls, which its filter finds', async () => {
    const { department, link } = await tenant.queue();
    const past = await tenant.join(link);
    await transitionCall(past.call_id, 'start');
    await transitionCall(past.call_id, 'complete');
    const waiting = await tenant.join(link);
    const before = await getCall(past.call_id);
    expect(before.department_id).toBe(department.id);
    const taken = await tenant.join(link);
    await transitionCall(taken.call_id, 'assign');
    const calls = [past, waiting, taken].map(({ call_id }) => call_id);
    expect(await departmentsReferredToBy(calls)).toEqual([department.id, null, null]);
    await transitionCall(taken.call_id, 'complete');
    // A deletion does not touch past calls, however many there are: it does not wait for this lock.
    const answer = await test.get(Database).tenant(tenant.id, async (tx) => {
      await test.get(CallTransitions).lock(tx, tenant.id, past.call_id);
      return deleteDepartment(department.id);
    });
    expectStatus(answer, 204);
    await departmentEnded(test, department.id);
    expect(await departmentsReferredToBy(calls)).toEqual([null, null, null]);
    expect(await getCall(past.call_id)).toEqual(before);
    const { body } = await owner.get(`/api/v1/calls?department_id=${department.id}`);
    const all = [taken, waiting, past].map(({ call_id }) => ({ id: call_id, department_id: department.id }));
    expect(body.data).toMatchObject(all);
    expect(body.meta.total_count).toBe(3);
    const exported = csvRows(await owner.get(`/api/v1/export/calls.csv?department_id=${department.id}`));
    expect(exported).toHaveLength(3);
    expect(exported).toEqual(expect.arrayContaining(all.map((call) => expect.objectContaining(call))));
  });

  it('leaves no call with a department that does not exist or belongs to another tenant', async () => {
    const { department: foreign } = await (await TestTenant.register(test)).queue();
    for (const id of [someId(), foreign.id]) {
      const insertion = test.db.query(
        `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, estimated_wait_time,
           inserted_at, updated_at) VALUES ($1, 'queued', $2, 'X', 'X', 0, now(), now())`,
        [tenant.id, id],
      );
      await expect(insertion).rejects.toMatchObject({ constraint: 'calls_department_id_fkey' });
    }
  });

  it.each(['assign', 'start'])('is rejected after %s of a call and changes nothing', async (action) => {
    const { department, link } = await tenant.queue();
    const [waiting, taken] = [await tenant.join(link), await tenant.join(link)];
    await transitionCall(taken.call_id, action);
    const before = await getCall(taken.call_id);
    expectFailure(await deleteDepartment(department.id), 422, { code: 'department_in_use' });
    expect(await getCall(taken.call_id)).toEqual(before);
    expect(await getCall(waiting.call_id)).toMatchObject({ status: 'queued', department_id: department.id });
    expect((await owner.get(`/api/v1/access-links/${link.id}`)).body.data.status).toBe('active');
    await transitionCall(taken.call_id, 'complete');
    expectStatus(await deleteDepartment(department.id), 204);
  });

  it('is rejected while the department has recordings and succeeds after the last one is deleted', async () => {
    const { department, link } = await tenant.queue();
    const { call_id } = await tenant.join(link);
    await transitionCall(call_id, 'complete');
    for (let count = 0; count < 2; count++) await createRecording(test, call_id, tenant.owner);
    for (let count = 0; count < 2; count++) {
      expectFailure(await deleteDepartment(department.id), 422, { code: 'department_has_recordings' });
      expect(await getCall(call_id)).toMatchObject({ department_id: department.id, has_recording: true });
      expect((await owner.get(`/api/v1/access-links/${link.id}`)).body.data.status).toBe('active');
      expectStatus(await owner.delete(`/api/v1/calls/${call_id}/recording`), 204);
    }
    expectStatus(await deleteDepartment(department.id), 204);
    expect((await getCall(call_id)).department_id).toBe(department.id);
    expectFailure(await uploadRecording(test, call_id, tenant.owner), 422, { code: 'department_deleted' });
  });

  it.each(['upload', 'deletion'])(
    'is serialised with a concurrent recording upload when the %s comes first',
    async (first) => {
      const { department, link } = await tenant.queue();
      const { call_id } = await tenant.join(link);
      await transitionCall(call_id, 'complete');
      const steps = {
        upload: () => uploadRecording(test, call_id, tenant.owner),
        deletion: () => deleteDepartment(department.id),
      };
      const [firstStep, secondStep] =
        first === 'upload' ? [steps.upload, steps.deletion] : [steps.deletion, steps.upload];
      // Another transaction holds the lock of the department, so both requests begin before either can finish.
      const answers = await startWaiting(
        test,
        tenant,
        ['SELECT FROM departments WHERE id = $1 FOR UPDATE', department.id],
        [firstStep, secondStep],
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses).toEqual(first === 'upload' ? [201, 422] : [204, 422]);
      const { rows } = await test.db.query('SELECT department_id FROM recordings WHERE call_id = $1', [
        call_id,
      ]);
      expect(rows).toEqual(first === 'upload' ? [{ department_id: department.id }] : []);
    },
  );

  it('leaves no call in the queue when customers join at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { department, link } = await tenant.queue();
      const [deleted, ...joins] = await Promise.all([
        deleteDepartment(department.id),
        ...Array.from({ length: 4 }, () => test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Now' })),
      ]);
      expectStatus(deleted, 204);
      for (const join of joins) expect([200, 404]).toContain(join.status);
      await departmentEnded(test, department.id);
      const { rows } = await test.db.query(
        `SELECT count(*)::int AS all, count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled
         FROM calls WHERE access_link_id = $1`,
        [link.id],
      );
      const entered = joins.filter(({ status }) => status === 200).length;
      expect(rows[0]).toEqual({ all: entered, cancelled: entered });
    }
  });
});
