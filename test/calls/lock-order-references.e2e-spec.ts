import { LiveConnections } from '../../src/live/live-connections';
import { RecordingRetentionSweeper } from '../../src/recordings/recording-retention-sweeper';
import type { Json } from '../support/http/api';
import { expectStatus, someId, TestTenant } from '../support/builders';
import { addRecording } from '../support/contexts/add-recording';
import { book, bookConfirmed, createCustomer, freeSlot, performStep } from '../support/contexts/appointments';
import { departmentEnded } from '../support/contexts/departments';
import { createWebhook, insertFailedDelivery } from '../support/contexts/webhooks';
import { expectNoRetries, startWaiting } from '../support/database/lock-order';
import { callRow, oneTo } from '../support/database/rows';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const storage = new StorageFolder();
let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  test = await startTestApp({ env: storage.env });
  tenant = await TestTenant.register(test);
});

afterAll(async () => {
  await test.close();
  storage.remove();
});

expectNoRetries(() => [test]);

type Step = () => Promise<{ status: number }>;

const post = (path: string, body?: Json) => tenant.owner.api.post(`/api/v1/${path}`, body);
const deleteDepartment = ({ id }: Json) => tenant.owner.api.delete(`/api/v1/departments/${id}`);
/** Deletes the department, and waits for the jobs that end what it leaves behind. */
async function endDepartment(department: Json): Promise<{ status: number }> {
  const answer = await deleteDepartment(department);
  await departmentEnded(test, department.id);
  return answer;
}
const erase = ({ id }: Json) => post(`customers/${id}/erase`);
const merge = (primary: Json, duplicate: Json) =>
  post('customers/merge', { primary_id: primary.id, duplicate_ids: [duplicate.id] });

/** The statuses of requests that start one after the other while the row is locked. */
async function statusesWhileLocked(table: string, id: string, steps: Step[]): Promise<number[]> {
  const statement = `SELECT FROM ${table} WHERE id = $1 FOR UPDATE`;
  const answers = await startWaiting(test, tenant, [statement, id], steps);
  return answers.map(({ status }) => status);
}

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

/** Creates customers. @returns them in the order of their ids */
const createCustomers = async (count: number): Promise<Json[]> =>
  (await Promise.all(oneTo(count).map(() => createCustomer(tenant)))).toSorted(byId);

/** Creates appointments of the customer. @returns them in the order of their ids */
async function bookInOrder(departments: Json[], customer: Json): Promise<Json[]> {
  const appointments = [];
  for (const { id } of departments) {
    appointments.push(await book(tenant, { ...freeSlot(test), department_id: id, customer_id: customer.id }));
  }
  return appointments.toSorted(byId);
}

describe('transactions that lock referenced rows of several tables', () => {
  let customers: [Json, Json, Json];
  let department: Json;
  let otherDepartment: Json;

  beforeEach(async () => {
    customers = (await createCustomers(3)) as [Json, Json, Json];
    [department, otherDepartment] = [await tenant.department(), await tenant.department()];
  });

  it.each([
    ['deleted', ({ id }: Json) => tenant.owner.api.delete(`/api/v1/customers/${id}`), 204],
    ['erased', erase, 200],
  ])(
    'do not deadlock when a department is deleted while a customer with links is %s',
    async (_, remove, status) => {
      const [customer] = customers;
      const links = [];
      for (const label of ['a', 'b']) {
        links.push(await tenant.link(department.id, { customer_id: customer.id, label }));
      }
      const highest = links.toSorted(byId).at(-1);
      expect(
        await statusesWhileLocked('access_links', highest?.id, [
          () => remove(customer),
          () => deleteDepartment(department),
        ]),
      ).toEqual([status, 204]);
    },
  );

  it('do not deadlock when a department is deleted while a customer with calls is erased', async () => {
    const [customer] = customers;
    const calls = [];
    // By links without a customer: otherwise the links would serialise the two transactions.
    for (const link of [await tenant.link(department.id), await tenant.link(department.id)]) {
      const { call_id } = await tenant.join(link);
      expectStatus(await post(`calls/${call_id}/complete`), 200);
      await test.db.query('UPDATE calls SET customer_id = $2 WHERE id = $1', [call_id, customer.id]);
      calls.push(call_id);
    }
    const highest = calls.toSorted().at(-1);
    expect(
      await statusesWhileLocked('calls', highest, [
        () => erase(customer),
        () => deleteDepartment(department),
      ]),
    ).toEqual([200, 204]);
  });

  it.each([
    ['merged', () => merge(customers[1], customers[0]), 200],
    ['deleted', () => tenant.owner.api.delete(`/api/v1/customers/${customers[0].id}`), 204],
  ])(
    'do not deadlock when a customer is %s while a department with appointments is deleted',
    async (_, change, status) => {
      const [, highest] = await bookInOrder([department, department], customers[0]);
      expect(
        await statusesWhileLocked('appointments', highest?.id, [() => deleteDepartment(department), change]),
      ).toEqual([204, status]);
    },
  );

  it('do not deadlock when a department with confirmed appointments is deleted during a merge', async () => {
    const [customer, primary] = customers;
    const { access_link } = await bookConfirmed(tenant, {
      ...freeSlot(test),
      department_id: department.id,
      customer_id: customer.id,
    });
    const { id: other } = await tenant.link(otherDepartment.id, { customer_id: customer.id });
    // The merge holds the link of the appointment and waits for the other one when the job begins.
    const highest = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
    await test.db.query('UPDATE access_links SET id = $2 WHERE id = $1', [other, highest]);
    expect(
      await statusesWhileLocked('access_links', highest, [
        () => merge(primary, customer),
        () => endDepartment(department),
      ]),
    ).toEqual([200, 204]);
    const { rows } = await test.db.query('SELECT cancelled_at, customer_id FROM access_links WHERE id = $1', [
      access_link.id,
    ]);
    expect(rows).toEqual([{ cancelled_at: expect.any(Date), customer_id: primary.id }]);
  });

  it('do not deadlock when an appointment is cancelled by staff and with its department', async () => {
    const { id, access_link } = await bookConfirmed(tenant, {
      ...freeSlot(test),
      department_id: department.id,
    });
    expect(
      await statusesWhileLocked('access_links', access_link.id, [
        () => endDepartment(department),
        () => post(`appointments/${id}/cancel`),
      ]),
    ).toEqual([204, 200]);
  });

  it('do not deadlock when a department with past appointments is deleted during a merge', async () => {
    const [customer, primary] = customers;
    const appointments = [];
    // Between the ids of the department’s appointments is one of another department.
    const prefix = customer.id.slice(0, -1);
    for (const [index, { id }] of [
      [2, department],
      [1, otherDepartment],
      [0, department],
    ] as [number, Json][]) {
      const booked = await book(tenant, { ...freeSlot(test), department_id: id, customer_id: customer.id });
      await performStep(tenant, booked.id, 'cancel');
      // The foreign key clears the rows in the order in which they are stored: the one with the highest id first.
      await test.db.query('UPDATE appointments SET id = $2 WHERE id = $1', [booked.id, `${prefix}${index}`]);
      appointments.push(`${prefix}${index}`);
    }
    expect(
      await statusesWhileLocked('appointments', `${prefix}1`, [
        () => merge(primary, customer),
        () => deleteDepartment(department),
      ]),
    ).toEqual([200, 204]);
    await departmentEnded(test, department.id);
    const { rows } = await test.db.query(
      'SELECT department_id, customer_id FROM appointments WHERE id = ANY ($1) ORDER BY id',
      [appointments],
    );
    expect(rows).toEqual([
      { department_id: null, customer_id: primary.id },
      { department_id: otherDepartment.id, customer_id: primary.id },
      { department_id: null, customer_id: primary.id },
    ]);
  });

  it('do not deadlock when a department is deleted while several recordings of a call expire', async () => {
    expectStatus(await tenant.owner.api.put('/api/v1/tenant', { recording_retention_days: 30 }), 200);
    const { call_id } = await tenant.join(await tenant.link(department.id));
    expectStatus(await post(`calls/${call_id}/complete`), 200);
    const recordings = [];
    for (const content of ['a', 'b']) {
      recordings.push(await addRecording(test, tenant, call_id, Buffer.from(content)));
    }
    await test.db.query(
      `UPDATE recordings SET inserted_at = inserted_at - interval '31 days' WHERE call_id = $1`,
      [call_id],
    );
    const sweep: Step = async () => {
      await test.get(RecordingRetentionSweeper).run();
      return { status: 200 };
    };
    const last = recordings.at(-1) ?? '';
    expect(
      await statusesWhileLocked('recordings', last, [sweep, () => deleteDepartment(department)]),
    ).toEqual([200, 204]);
    const { rows } = await test.db.query('SELECT FROM recordings WHERE call_id = $1', [call_id]);
    expect(rows).toEqual([]);
  });

  it('do not deadlock when links are created for customers that are being merged', async () => {
    const [first, second, third] = customers;
    const links = [second, third, first].map(({ id }) => ({
      department_id: department.id,
      customer_id: id,
    }));
    expect(
      await statusesWhileLocked('customers', third.id, [
        () => post('access-links/batch', { links }),
        () => merge(first, second),
      ]),
    ).toEqual([201, 200]);
  });

  it('do not deadlock when a user is added to a department twice at once', async () => {
    const member = await tenant.member('attendant', [otherDepartment.id]);
    const statement = 'SELECT FROM department_members WHERE department_id = $1 FOR UPDATE';
    const answers = await startWaiting(
      test,
      tenant,
      [statement, otherDepartment.id],
      [
        () => tenant.owner.api.put(`/api/v1/users/${member.id}`, { department_ids: [department.id] }),
        () => post(`departments/${department.id}/users`, { user_id: member.id }),
      ],
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 201]);
  });

  it('do not deadlock when a call is assigned and started while its agent connects', async () => {
    const agent = await tenant.member('attendant', [department.id]);
    const { call_id } = await tenant.join(await tenant.link(department.id));
    const connections = test.get(LiveConnections);
    // The first connection creates the row that the second one waits for.
    await connections.connectStaff(tenant.id, agent.id, someId());
    const connect: Step = async () => {
      await connections.connectStaff(tenant.id, agent.id, someId());
      return { status: 200 };
    };
    const assignAndStart: Step = async () => {
      expectStatus(await post(`calls/${call_id}/assign`, { user_id: agent.id }), 200);
      return agent.api.post(`/api/v1/calls/${call_id}/start`);
    };
    const statement = 'SELECT FROM presences WHERE user_id = $1 FOR UPDATE';
    const answers = await startWaiting(test, tenant, [statement, agent.id], [connect, assignAndStart]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { agent_connected_at } = await callRow(test, call_id);
    expect(agent_connected_at).not.toBeNull();
  });

  it('do not deadlock when deliveries are erased during a replay', async () => {
    const [customer] = customers;
    const webhook = await createWebhook(tenant);
    const deliveries = [];
    // Stored in another order than that of their times, in which a replay locks them.
    for (const [time, customerId] of [
      ['2026-01-03', customer.id],
      ['2026-01-02', null],
      ['2026-01-01', customer.id],
    ]) {
      const id = await insertFailedDelivery(test.db, tenant.id, webhook.id);
      await test.db.query('UPDATE webhook_deliveries SET customer_id = $2, inserted_at = $3 WHERE id = $1', [
        id,
        customerId,
        time,
      ]);
      deliveries.push(id);
    }
    const remaining = deliveries[1] ?? '';
    const replay: Step = async () => {
      const answer = await post(`webhooks/${webhook.id}/replay`, { from: '2026-01-01T00:00:00Z' });
      await until(async () => {
        const { rows } = await test.db.query(
          'SELECT FROM webhook_deliveries WHERE id = $1 AND replayed_at IS NOT NULL',
          [remaining],
        );
        return rows.length > 0;
      });
      return answer;
    };
    expect(
      await statusesWhileLocked('webhook_deliveries', remaining, [replay, () => erase(customer)]),
    ).toEqual([202, 200]);
    const { rows } = await test.db.query('SELECT id FROM webhook_deliveries WHERE webhook_id = $1', [
      webhook.id,
    ]);
    expect(rows).toEqual([{ id: remaining }]);
  });
});
