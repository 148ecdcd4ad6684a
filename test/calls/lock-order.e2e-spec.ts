import type { Json } from '../support/http/api';
import { expectStatus, TestTenant } from '../support/builders';
import { sentStatements, type SentStatement } from '../support/database/sent-statements';
import { bookConfirmed, createCustomer, freeSlot } from '../support/contexts/appointments';
import { expectNoRetries, startWaiting } from '../support/database/lock-order';
import { oneTo } from '../support/database/rows';
import { raceRounds } from '../support/race-rounds';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});

afterAll(() => test.close());

expectNoRetries(() => [test]);

const post = (path: string, body?: Json) => tenant.owner.api.post(`/api/v1/${path}`, body);
const deleteDepartment = ({ id }: Json) => tenant.owner.api.delete(`/api/v1/departments/${id}`);
const merge = (primary: Json, duplicate: Json) =>
  post('customers/merge', { primary_id: primary.id, duplicate_ids: [duplicate.id] });
const join = ({ token }: Json) => test.api.post(`/api/v1/call/${token}/join`, { name: 'Ana' });

describe('transactions that lock rows of several tables', () => {
  let primary: Json;
  let customer: Json;
  let department: Json;
  let otherDepartment: Json;

  beforeEach(async () => {
    [primary, customer] = [await createCustomer(tenant), await createCustomer(tenant)];
    [department, otherDepartment] = [await tenant.department(), await tenant.department()];
  });

  it('do not deadlock when a department is deleted during a merge of customers with links', async () => {
    const prefix = customer.id.slice(0, -1);
    for (const [index, { id }] of [department, otherDepartment, department].entries()) {
      const link = await tenant.link(id, { customer_id: customer.id });
      if (index === 0) expectStatus(await post(`access-links/${link.id}/cancel`), 200);
      await test.db.query('UPDATE access_links SET id = $2 WHERE id = $1', [link.id, `${prefix}${index}`]);
    }
    // The merge holds the first link and waits for the second one when the deletion begins.
    const answers = await startWaiting(
      test,
      tenant,
      ['SELECT FROM access_links WHERE id = $1 FOR UPDATE', `${prefix}1`],
      [() => merge(primary, customer), () => deleteDepartment(department)],
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 204]);
  });

  it('do not deadlock when a department is deleted during a merge of customers with calls', async () => {
    // By links without a customer: otherwise the links would serialise the two transactions.
    const prefix = customer.id.slice(0, -1);
    for (const [index, { id }] of [department, otherDepartment, department].entries()) {
      const { call_id } = await tenant.join(await tenant.link(id));
      // The words for the search, the entry of the line and the timeline refer to the id.
      for (const table of ['call_words', 'line_entries', 'call_timeline'])
        await test.db.query(`DELETE FROM ${table} WHERE call_id = $1`, [call_id]);
      await test.db.query('UPDATE calls SET id = $2, customer_id = $3 WHERE id = $1', [
        call_id,
        `${prefix}${index}`,
        customer.id,
      ]);
    }
    // The call with the lowest id is a past one of the department, the one with the highest id waits in it.
    expectStatus(await post(`calls/${prefix}0/complete`), 200);
    const answers = await startWaiting(
      test,
      tenant,
      ['SELECT FROM calls WHERE id = $1 FOR UPDATE', `${prefix}1`],
      [() => merge(primary, customer), () => deleteDepartment(department)],
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 204]);
  });

  it('do not deadlock when a customer joins by a personal link during a merge', async () => {
    const link = await tenant.link(department.id, { customer_id: customer.id });
    const answers = await startWaiting(
      test,
      tenant,
      ['SELECT FROM access_links WHERE id = $1 FOR UPDATE', link.id],
      [() => join(link), () => merge(primary, customer)],
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('do not deadlock when departments are deleted during joins, appointments, batches, merges and erasures', async () => {
    for (let round = 0; round < raceRounds(10); round++) {
      const queues = await Promise.all(oneTo(3).map(() => tenant.queue({ max_queue_size: 100 })));
      const customers = await Promise.all(oneTo(4).map(() => createCustomer(tenant)));
      const links = await Promise.all(
        queues.flatMap((queue) =>
          customers.map(({ id }) => tenant.link(queue.department.id, { customer_id: id })),
        ),
      );
      const entries = await Promise.all(links.map((link) => tenant.join(link)));
      for (const [index, { department }] of queues.entries()) {
        for (const { id: customer_id } of customers.slice(index)) {
          const input = { ...freeSlot(test), department_id: department.id, customer_id };
          await bookConfirmed(tenant, input);
        }
      }
      const [first, second, third, fourth] = customers;
      const erased = await createCustomer(tenant);
      for (const { department } of queues) await tenant.link(department.id, { customer_id: erased.id });
      const batch = customers
        .toReversed()
        .map(({ id }) => ({ department_id: queues[0]?.department.id, customer_id: id }));
      const answers = await Promise.all([
        ...entries
          .filter((_, index) => index % 3 === 0)
          .map(({ call_id }) => post(`calls/${call_id}/complete`)),
        ...links.map((link) => join(link)),
        ...queues.map((queue) => deleteDepartment(queue.department)),
        ...queues.map((queue) => join(queue.link)),
        merge(first, second),
        merge(third, fourth),
        post(`customers/${erased.id}/erase`),
        post('access-links/batch', { links: batch }),
        ...entries
          .filter((_, index) => index % 3 === 1)
          .map(({ call_id, websocket_token }) =>
            test.api.post(`/api/v1/call/cancel/${call_id}`, undefined, { token: websocket_token }),
          ),
      ]);
      for (const { status } of answers) expect([200, 201, 204, 404, 422]).toContain(status);
    }
  });
});

const isDeletion = ({ text }: SentStatement) => text.startsWith('DELETE FROM "departments"');

/** The statements of the transaction that deleted a department with this many waiting calls. */
async function countStatements(waiting: number): Promise<number> {
  const { department, link } = await tenant.queue({ max_queue_size: 100 });
  for (let count = 0; count < waiting; count++) await tenant.join(link);
  const sent = await sentStatements(test, async () => expectStatus(await deleteDepartment(department), 204));
  const deletion = sent.find(isDeletion);
  const ofConnection = sent.filter(({ client }) => client === deletion?.client);
  const texts = ofConnection.map(({ text }) => text);
  const end = texts.indexOf('COMMIT', ofConnection.findIndex(isDeletion));
  return end - texts.lastIndexOf('START TRANSACTION', end);
}

describe('deleting a department', () => {
  it('takes as many statements with many waiting calls as with a few', async () => {
    const few = await countStatements(2);
    expect(few).toBeGreaterThan(5);
    expect(await countStatements(20)).toBe(few);
  });
});
