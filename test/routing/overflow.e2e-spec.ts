import { expectStatus, type Member, TestTenant } from '../support/builders';
import { changeCall, entriesOf, entryOf } from '../support/contexts/line';
import { openFor } from '../support/contexts/opening-hours';
import {
  callRow,
  type OverflowingQueue,
  overflowingQueue,
  setDepartment,
  sweepOverflow,
  untilOverflowed,
} from '../support/contexts/overflow';
import { missRingTimeout } from '../support/contexts/ring-timeouts';
import { activeCall, transfer } from '../support/contexts/transfers';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

let test: TestApp;
let tenant: TestTenant;
let queue: OverflowingQueue;

beforeAll(async () => {
  test = await sharedTestApp();
});

beforeEach(async () => {
  tenant = await TestTenant.register(test);
  queue = await overflowingQueue(tenant);
});

afterEach(() => test.clock.reset());

afterAll(() => test.close());

const owner = (): Member => tenant.owner;
const act = async (callId: string, action: string, body?: Json) =>
  expectStatus(await owner().api.post(`/api/v1/calls/${callId}/${action}`, body), 200);

/** The departments in whose lines the call stands: its own first. */
const linesOf = async (callId: string): Promise<string[]> => {
  const entries = await entriesOf(test, callId);
  return entries
    .toSorted((one, other) => Number(one.overflowed_from !== null) - Number(other.overflowed_from !== null))
    .map(({ department_id }) => department_id);
};

const both = () => [queue.department.id, queue.target.id];

const departmentRows = async (id: string): Promise<Json[]> =>
  (await test.db.query('SELECT * FROM departments WHERE id = $1', [id])).rows;

const changedFields = async (callId: string): Promise<string[][]> => {
  const { rows } = await test.db.query(
    `SELECT payload->'changed' AS changed FROM domain_events
     WHERE subject_id = $1 AND type = 'call.updated' ORDER BY id`,
    [callId],
  );
  return rows.map(({ changed }) => changed.toSorted());
};

/** What is the same in all entries of a call. */
const sharedPart = ({ department_id: _department, overflowed_from: _from, ...entry }: Json) => entry;

describe('a waiting call', () => {
  it('overflows once it has waited for overflow_after', async () => {
    await setDepartment(tenant, queue.department, { overflow_after: 120 });
    const { call_id } = await tenant.join(queue.link);
    test.clock.advance(110);
    await sweepOverflow(test);
    expect(await linesOf(call_id)).toEqual([queue.department.id]);
    test.clock.advance(15);
    const call = await untilOverflowed(test, call_id);
    expect(call).toMatchObject({
      status: 'queued',
      version: 2,
      department_id: queue.department.id,
      overflow_department_id: queue.target.id,
    });
    expect(await linesOf(call_id)).toEqual(both());
    const details = (await owner().api.get(`/api/v1/calls/${call_id}`)).body.data;
    expect(details).toMatchObject({
      department_id: queue.department.id,
      overflow_department_id: queue.target.id,
      overflowed_at: call.overflowed_at.toISOString(),
    });
  });

  it('has an entry in its timeline, and no audit log', async () => {
    const { call_id } = await tenant.join(queue.link);
    await untilOverflowed(test, call_id);
    const timeline = (await owner().api.get(`/api/v1/calls/${call_id}/timeline`)).body.data;
    expect(timeline).toEqual([
      expect.objectContaining({ type: 'joined' }),
      {
        at: expect.any(String),
        type: 'overflowed',
        user_id: null,
        user_name: null,
        to_department_id: queue.target.id,
      },
    ]);
    const { rows } = await test.db.query(`SELECT action FROM audit_log WHERE subject_id = $1`, [call_id]);
    expect(rows).toEqual([]);
  });

  it('has the same rank, needs and presence in both lines', async () => {
    const { call_id } = await tenant.join(queue.link);
    await untilOverflowed(test, call_id);
    await changeCall(test, call_id, { rank_at: new Date(0), absent_since: null });
    const [own, second] = await entriesOf(test, call_id);
    expect(sharedPart(own)).toMatchObject({ rank_at: new Date(0), present: true, present_until: Infinity });
    expect(sharedPart(second)).toEqual(sharedPart(own));
  });

  it('does not overflow while the target is closed, inactive or not set', async () => {
    const hours = { opening_hours: openFor(test, 30, 60) };
    await setDepartment(tenant, queue.target, hours);
    const { call_id } = await tenant.join(queue.link);
    await sweepOverflow(test);
    expect(await callRow(test, call_id)).toMatchObject({ overflowed_at: null, version: 1 });
    await setDepartment(tenant, queue.target, { opening_hours: null, active: false });
    await sweepOverflow(test);
    expect((await callRow(test, call_id)).overflowed_at).toBeNull();
    await setDepartment(tenant, queue.department, { overflow_after: null });
    await setDepartment(tenant, queue.target, { active: true });
    await sweepOverflow(test);
    expect((await callRow(test, call_id)).overflowed_at).toBeNull();
    await setDepartment(tenant, queue.target, hours);
    await setDepartment(tenant, queue.department, { overflow_after: 0, max_wait_time: 86_400 });
    await test.db.query('UPDATE calls SET wait_deadline = NULL, absence_deadline = NULL WHERE id = $1', [
      call_id,
    ]);
    test.clock.advance(31 * 60);
    await untilOverflowed(test, call_id);
  });

  it('does not overflow while its company is suspended', async () => {
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [tenant.id]);
    await test.db.query(
      `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, estimated_wait_time,
         inserted_at, updated_at) VALUES ($1, 'queued', $2, 'Sales', 'Eva', 0, now() - interval '1 min', now())`,
      [tenant.id, queue.department.id],
    );
    await sweepOverflow(test);
    const { rows } = await test.db.query('SELECT overflowed_at FROM calls WHERE tenant_id = $1', [tenant.id]);
    expect(rows).toEqual([{ overflowed_at: null }]);
  });

  it('returns to both lines when it is requeued, and leaves both when it ends', async () => {
    const { call_id, websocket_token } = await tenant.join(queue.link);
    await untilOverflowed(test, call_id);
    await act(call_id, 'assign');
    expect(await linesOf(call_id)).toEqual([]);
    await missRingTimeout(test, call_id);
    expect(await linesOf(call_id)).toEqual(both());
    await test.api.as(websocket_token).post(`/api/v1/call/cancel/${call_id}`);
    expect(await linesOf(call_id)).toEqual([]);
    expect((await callRow(test, call_id)).overflow_department_id).toBe(queue.target.id);
  });

  it('leaves the line of the target with a transfer, and never overflows again', async () => {
    const third = await overflowingQueue(tenant);
    const { call_id } = await tenant.join(queue.link);
    await untilOverflowed(test, call_id);
    await act(call_id, 'start');
    await transfer(owner(), call_id, { department_id: third.department.id });
    await sweepOverflow(test);
    expect(await callRow(test, call_id)).toMatchObject({ overflow_department_id: null });
    expect((await callRow(test, call_id)).overflowed_at).not.toBeNull();
    expect(await linesOf(call_id)).toEqual([third.department.id]);
  });

  it('does not overflow from the line to which it overflowed', async () => {
    const third = await tenant.department();
    await setDepartment(tenant, queue.target, { overflow_after: 0, overflow_department_id: third.id });
    const { call_id } = await tenant.join(queue.link);
    await untilOverflowed(test, call_id);
    await sweepOverflow(test);
    expect(await linesOf(call_id)).toEqual(both());
  });

  it('that was transferred waits since the transfer', async () => {
    await setDepartment(tenant, queue.department, { overflow_after: 60 });
    const { link } = await tenant.queue();
    const { call_id } = await activeCall(tenant, link as { token: string }, owner());
    await test.db.query(`UPDATE calls SET inserted_at = now() - interval '1 hour' WHERE id = $1`, [call_id]);
    await transfer(owner(), call_id, { department_id: queue.department.id });
    await sweepOverflow(test);
    expect(await entryOf(test, call_id)).toMatchObject({ department_id: queue.department.id });
    test.clock.advance(61);
    await untilOverflowed(test, call_id);
  });
});

describe('the overflow of a call ends', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['is deleted', () => owner().api.delete(`/api/v1/departments/${queue.target.id}`)],
    ['becomes inactive', () => setDepartment(tenant, queue.target, { active: false })],
    [
      'closes and ends its calls',
      async () => {
        await setDepartment(tenant, queue.target, { opening_hours: openFor(test, -10, 1), on_close: 'end' });
        await until(async () => {
          const [plan] = await departmentRows(queue.target.id);
          return plan.closing_at !== null && Number(plan.closing_deadline) === Number(plan.closing_at);
        });
        await test.db.query('UPDATE calls SET absence_deadline = NULL WHERE tenant_id = $1', [tenant.id]);
        const open = 'SELECT FROM calls WHERE tenant_id = $1 AND overflow_department_id IS NOT NULL';
        expect((await test.db.query(open, [tenant.id])).rowCount).toBe(2);
        test.clock.advance(60);
      },
    ],
  ])('when the target %s; the call keeps its place', async (_name, change) => {
    const assigned = await tenant.join(queue.link);
    const { call_id } = await tenant.join(queue.link);
    for (const id of [assigned.call_id, call_id]) await untilOverflowed(test, id);
    await act(assigned.call_id, 'assign');
    await change();
    await until(async () => (await callRow(test, call_id)).overflow_department_id === null);
    expect(await linesOf(call_id)).toEqual([queue.department.id]);
    expect(await changedFields(call_id)).toEqual([
      ['overflow_department_id', 'overflowed_at'],
      ['overflow_department_id'],
    ]);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'queued', version: 3 });
    expect((await callRow(test, assigned.call_id)).overflow_department_id).toBeNull();
  });
});
