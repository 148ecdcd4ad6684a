import { RequeueCallsOfInactiveAgents } from '../../src/calls/machine/requeue-calls-of-inactive-agents';
import { UserUpdated } from '../../src/identity/users/user.events';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { missRingTimeout, setMaxUnanswered } from '../support/contexts/ring-timeouts';
import { sweep } from '../support/contexts/sweep';
import { callRow, eventsOf } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { TestSocket } from '../support/sockets/socket';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let department: Json;
let link: Json;

beforeAll(async () => {
  test = await startTestApp({ env: { QUEUE_ABSENCE_SECONDS: '300' } });
  tenant = await TestTenant.register(test);
  agent = await tenant.member();
});

beforeEach(async () => {
  ({ department, link } = await tenant.queue({ max_wait_time: 3600 }));
});

afterAll(() => test.close());

async function act(id: string, action: string, body?: object, member = agent): Promise<void> {
  expectStatus(await member.api.post(`/api/v1/calls/${id}/${action}`, body), 200);
}

const statusOf = async (id: string): Promise<Json> =>
  (await test.api.get(`/api/v1/call/status/${id}`)).body.data;
const detailsOf = async (id: string): Promise<Json> =>
  (await tenant.owner.api.get(`/api/v1/calls/${id}`)).body.data;

const REQUEUED = ['call.queued', 'call.assigned', 'call.requeued'];

describe('a call that its agent does not start in time', () => {
  it('returns to its place in the queue, without the agent', async () => {
    const [first, second] = [await tenant.join(link), await tenant.join(link)];
    const before = await callRow(test, first.call_id);
    test.clock.advance(10);
    await act(first.call_id, 'assign');
    expect(await statusOf(second.call_id)).toMatchObject({ position: 1 });
    test.clock.advance(61);
    await sweep(test);

    expect(await statusOf(first.call_id)).toMatchObject({ status: 'queued', position: 1 });
    expect(await statusOf(second.call_id)).toMatchObject({ status: 'queued', position: 2 });
    expect(await detailsOf(first.call_id)).toMatchObject({
      status: 'queued',
      user_id: null,
      user_name: null,
      wait_time: null,
      started_at: null,
      end_reason: null,
      unanswered_count: 1,
    });
    const row = await callRow(test, first.call_id);
    expect(row).toMatchObject({
      version: 3,
      assigned_at: null,
      agent_connected_at: null,
      ring_deadline: null,
      suspended_wait_deadline: null,
      queue_number: before.queue_number,
      rank_at: before.rank_at,
      inserted_at: before.inserted_at,
    });
    expect(await eventsOf(test, first.call_id)).toEqual(REQUEUED);
    const { rows } = await test.db.query(
      `SELECT payload FROM domain_events WHERE subject_id = $1 AND type = 'call.requeued'`,
      [first.call_id],
    );
    expect(rows[0].payload).toMatchObject({
      version: 3,
      user_id: null,
      previous_user_id: agent.id,
      unanswered_count: 1,
    });
  });

  it('waits on for as long as it could have when it was assigned', async () => {
    const { call_id } = await tenant.join(link);
    const before = await callRow(test, call_id);
    await act(call_id, 'assign');
    const { assigned_at } = await callRow(test, call_id);
    test.clock.advance(40);
    // A hand-over gives the new agent a ring timeout of their own.
    await act(call_id, 'assign', { user_id: tenant.owner.id });
    test.clock.advance(61);
    await sweep(test);
    const row = await callRow(test, call_id);
    const assignedMs = row.updated_at - assigned_at;
    expect(assignedMs).toBeGreaterThanOrEqual(101_000);
    expect(row.wait_deadline - before.wait_deadline).toBe(assignedMs);
  });

  it('is abandoned when the rest of its maximum wait has passed', async () => {
    const queue = await tenant.queue({ max_wait_time: 200 });
    const { call_id, websocket_token } = await tenant.join(queue.link);
    const customer = await TestSocket.connect(test.url, websocket_token);
    test.clock.advance(100);
    await act(call_id, 'assign');
    test.clock.advance(61);
    await sweep(test);
    test.clock.advance(80);
    await sweep(test);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'queued', absent_since: null });
    test.clock.advance(30);
    await sweep(test);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'abandoned', unanswered_count: 1 });
    customer.close();
  });

  it('keeps a customer with a socket, and one without it for QUEUE_ABSENCE_SECONDS', async () => {
    const [connected, absent] = [await tenant.join(link), await tenant.join(link)];
    const customer = await TestSocket.connect(test.url, connected.websocket_token);
    for (const { call_id } of [connected, absent]) await act(call_id, 'assign');
    test.clock.advance(61);
    await sweep(test);
    expect(await callRow(test, connected.call_id)).toMatchObject({
      status: 'queued',
      absent_since: null,
      absence_deadline: null,
    });
    const row = await callRow(test, absent.call_id);
    expect(row.absent_since.getTime()).toBeGreaterThan(row.inserted_at.getTime() + 60_000);
    expect(row.absence_deadline - row.absent_since).toBe(300_000);
    test.clock.advance(301);
    await sweep(test);
    expect(await callRow(test, absent.call_id)).toMatchObject({ status: 'abandoned', user_id: null });
    expect(await callRow(test, connected.call_id)).toMatchObject({ status: 'queued' });
    customer.close();
  });

  it('gets the priority of an appointment whose time has come meanwhile', async () => {
    const [first, second] = [await tenant.join(link), await tenant.join(link)];
    const priority_deadline = new Date(test.clock.now().getTime() + 30_000);
    await test.db.query('UPDATE calls SET priority_deadline = $2 WHERE id = $1', [
      second.call_id,
      priority_deadline,
    ]);
    await act(second.call_id, 'assign');
    expect(await callRow(test, second.call_id)).toMatchObject({ priority_deadline: null });
    test.clock.advance(61);
    await sweep(test);
    expect(await callRow(test, second.call_id)).toMatchObject({
      status: 'queued',
      priority_since: priority_deadline,
      priority_deadline: null,
      suspended_priority_deadline: null,
    });
    expect(await statusOf(second.call_id)).toMatchObject({ position: 1 });
    expect(await statusOf(first.call_id)).toMatchObject({ position: 2 });
  });

  it('is missed by the third unanswered assignment, with its wait until then', async () => {
    const { call_id } = await tenant.join(link);
    for (let count = 1; count <= 2; count++) {
      test.clock.advance(10);
      await act(call_id, 'assign');
      await missRingTimeout(test, call_id);
      expect(await callRow(test, call_id)).toMatchObject({ status: 'queued', unanswered_count: count });
    }
    test.clock.advance(10);
    await act(call_id, 'assign');
    await missRingTimeout(test, call_id);
    const row = await callRow(test, call_id);
    expect(row).toMatchObject({
      status: 'missed',
      end_reason: 'timeout',
      user_id: agent.id,
      unanswered_count: 3,
    });
    expect(row.wait_time).toBe(Math.floor((row.assigned_at - row.inserted_at) / 1000));
    expect(row.wait_time).toBeGreaterThanOrEqual(30);
    expect(await eventsOf(test, call_id)).toEqual([
      ...REQUEUED,
      'call.assigned',
      'call.requeued',
      'call.assigned',
      'call.missed',
    ]);
  });

  it("uses the department's max_unanswered of the moment", async () => {
    const { call_id } = await tenant.join(link);
    await act(call_id, 'assign');
    await missRingTimeout(test, call_id);
    await setMaxUnanswered(test, department.id, 2);
    await act(call_id, 'assign');
    await missRingTimeout(test, call_id);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'missed', unanswered_count: 2 });
  });

  it('is missed if an instance of the previous release assigned it', async () => {
    const { call_id } = await tenant.join(link);
    await act(call_id, 'assign');
    await test.db.query('UPDATE calls SET suspended_wait_deadline = NULL WHERE id = $1', [call_id]);
    await missRingTimeout(test, call_id);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'missed', unanswered_count: 1 });
  });

  it('can be started by the next agent, and its wait ends with that assignment', async () => {
    const { call_id } = await tenant.join(link);
    await act(call_id, 'assign');
    await missRingTimeout(test, call_id);
    test.clock.advance(50);
    await act(call_id, 'start', undefined, tenant.owner);
    const row = await callRow(test, call_id);
    expect(row).toMatchObject({ status: 'active', user_id: tenant.owner.id, unanswered_count: 1 });
    expect(row.wait_time).toBeGreaterThanOrEqual(50);
    expect(row.version).toBe((await eventsOf(test, call_id)).length);
  });
});

describe('a call whose agent is deactivated', () => {
  it('returns to the queue while it is assigned, and counts as neither unanswered nor an action of staff', async () => {
    const leaver = await tenant.member();
    const [assigned, active, other] = [
      await tenant.join(link),
      await tenant.join(link),
      await tenant.join(link),
    ];
    await act(assigned.call_id, 'assign', undefined, leaver);
    await act(active.call_id, 'start', undefined, leaver);
    await act(other.call_id, 'assign');
    expectStatus(await tenant.owner.api.put(`/api/v1/users/${leaver.id}`, { active: false }), 200);
    await until(async () => (await eventsOf(test, assigned.call_id)).includes('call.requeued'));
    expect(await callRow(test, assigned.call_id)).toMatchObject({
      status: 'queued',
      user_id: null,
      unanswered_count: 0,
    });
    expect(await callRow(test, active.call_id)).toMatchObject({ status: 'active', user_id: leaver.id });
    expect(await callRow(test, other.call_id)).toMatchObject({ status: 'assigned', user_id: agent.id });
    const { rows } = await test.db.query('SELECT action FROM audit_log WHERE subject_id = $1', [
      assigned.call_id,
    ]);
    expect(rows.map(({ action }) => action)).toEqual(['call.assigned']);
  });

  it('stays assigned when other fields of its agent change', async () => {
    const { call_id } = await tenant.join(link);
    await act(call_id, 'assign');
    expectStatus(await tenant.owner.api.put(`/api/v1/users/${agent.id}`, { phone: '1' }), 200);
    await until(async () => {
      const { rows } = await test.db.query(
        `SELECT FROM pgboss.job WHERE name = 'requeue-calls-of-inactive-agents' AND state < 'completed'`,
      );
      return rows.length === 0;
    });
    expect(await callRow(test, call_id)).toMatchObject({ status: 'assigned', user_id: agent.id });
  });

  it('stays assigned when its agent is active again before the job runs', async () => {
    const { call_id } = await tenant.join(link);
    await act(call_id, 'assign');
    const at = test.clock.now().toISOString();
    const deactivation = new UserUpdated(tenant.id, agent.id, at, ['active']);
    await test.get(RequeueCallsOfInactiveAgents).onUserUpdated(deactivation);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'assigned', user_id: agent.id });
  });
});
