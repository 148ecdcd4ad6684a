import { TestTenant } from '../support/builders';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});

afterAll(() => test.close());

const inParallel = (count: number, work: (index: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

const queueSize = async (link: Json): Promise<number> =>
  (await test.api.get(`/api/v1/call/${link.token}/validate`)).body.data.queue_size;

async function waitingCalls(department: Json): Promise<number> {
  const { rows } = await test.db.query(
    `SELECT count(*)::int FROM calls WHERE department_id = $1 AND status = 'queued'`,
    [department.id],
  );
  return rows[0].count;
}

async function changes(department: Json): Promise<number[]> {
  const { rows } = await test.db.query('SELECT change FROM queue_changes WHERE department_id = $1', [
    department.id,
  ]);
  return rows.map(({ change }) => change);
}

describe('the size of a queue', () => {
  it('is the number of waiting calls after parallel joins, cancellations and assignments, in few rows', async () => {
    const { department, link } = await tenant.queue({ max_queue_size: 500 });
    const agent = await tenant.member('attendant', [department.id]);
    for (let round = 0; round < 6; round++) {
      const waiting = await inParallel(20, () => tenant.join(link));
      await inParallel(40, async (index) => {
        const { call_id, websocket_token } = waiting[index % 20] as Json;
        if (index >= 20) await tenant.join(link);
        else if (index % 3 === 0) await agent.api.post(`/api/v1/calls/${call_id}/assign`);
        else if (index % 3 === 1)
          await test.api.post(`/api/v1/call/cancel/${call_id}`, undefined, { token: websocket_token });
      });
      expect(await queueSize(link)).toBe(await waitingCalls(department));
    }
    // 240 joins and 84 departures.
    expect(await queueSize(link)).toBe(240 - 84);
    expect((await changes(department)).length).toBeLessThanOrEqual(64 + 14 + 20);
  });

  it('does not change if the join is rolled back', async () => {
    const { department, link } = await tenant.queue({ max_queue_size: 1 });
    await tenant.join(link);
    expect((await test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Too late' })).status).toBe(422);
    expect(await queueSize(link)).toBe(1);
    expect(await changes(department)).toEqual([1]);
  });

  it('moves with calls whose department or status is corrected in the database', async () => {
    const [from, to] = [await tenant.queue(), await tenant.queue()];
    const { call_id } = await tenant.join(from.link);
    await test.db.query('UPDATE calls SET department_id = $2 WHERE id = $1', [call_id, to.department.id]);
    expect([await queueSize(from.link), await queueSize(to.link)]).toEqual([0, 1]);
    await test.db.query('DELETE FROM calls WHERE id = $1', [call_id]);
    expect(await queueSize(to.link)).toBe(0);
  });

  it('is deleted with the department and with the tenant', async () => {
    const other = await TestTenant.register(test);
    const [deleted, kept] = [await other.queue(), await other.queue()];
    await other.join(deleted.link);
    await other.join(kept.link);
    expect((await other.owner.api.delete(`/api/v1/departments/${deleted.department.id}`)).status).toBe(204);
    expect(await changes(deleted.department)).toEqual([]);
    expect(await changes(kept.department)).toEqual([1]);
    // Jobs end what the department left behind, in transactions that this one could lock itself against.
    await until(async () => {
      const { rows } = await test.db.query(
        `SELECT FROM pgboss.job WHERE name = 'deletion-endings' AND state < 'completed' AND data ->> 'tenant_id' = $1`,
        [other.id],
      );
      return rows.length === 0;
    });
    await test.db.query('DELETE FROM tenants WHERE id = $1', [other.id]);
    expect(await changes(kept.department)).toEqual([]);
  });
});
