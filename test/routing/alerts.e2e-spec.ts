import { Database } from '../../src/platform/database/database';
import { QueueAlerts, updateAlertsStatement } from '../../src/routing/alerts/queue-alerts';
import { QueueSummaries } from '../../src/live/queue-summaries';
import { type Member, expectStatus, TestTenant } from '../support/builders';
import { callbackRequested, unstaffedCallingQueue, cancelCallback } from '../support/contexts/callbacks';
import { insertWaitingCalls, secondsAfter } from '../support/contexts/line';
import { activeCall, transfer } from '../support/contexts/transfers';
import { createWebhook, deliveriesOf, untilFannedOut } from '../support/contexts/webhooks';
import { entriesRead, nodesReading, planOf } from '../support/database/plans';
import { oneTo } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

let test: TestApp;
let tenant: TestTenant;
let department: Json;
let link: Json;
let webhook: Json;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
});

beforeEach(async () => {
  tenant = await TestTenant.register(test);
  ({ department, link } = await tenant.queue({ max_wait_time: 36_000 }));
  webhook = await createWebhook(tenant, undefined, ['queue.alert']);
});

afterEach(() => test.clock.reset());

afterAll(() => test.close());

const configure = async (settings: Json) =>
  expectStatus(await tenant.owner.api.put('/api/v1/tenant', settings), 200);

/** Checks several times at once: the service checks from time to time, too, and one of them announces an episode. */
const check = () => Promise.all(oneTo(4).map(() => test.get(QueueAlerts).check()));

async function alerts(): Promise<Json[]> {
  const { rows } = await test.db.query(
    'SELECT kind, department_id, since, ended_at FROM queue_alerts WHERE tenant_id = $1 ORDER BY since',
    [tenant.id],
  );
  return rows;
}

/** Checks until that many alerts were made and that many of them have not ended: a check by the service may be running. */
const checkUntil = (made: number, open: number) =>
  until(
    async () => {
      await check();
      const rows = await alerts();
      return rows.length === made && rows.filter(({ ended_at }) => ended_at === null).length === open;
    },
    () => `there are not ${made} alerts of which ${open} are open`,
  );

const deliveredAlerts = async () => {
  await untilFannedOut(test.db, tenant);
  return (await deliveriesOf(tenant, webhook.id)).map(({ payload }) => payload.data).toReversed();
};

const act = async (callId: string, action: string, member = tenant.owner) =>
  expectStatus(await member.api.post(`/api/v1/calls/${callId}/${action}`), 200);

const positionOf = async (callId: string): Promise<number> =>
  (await test.api.get(`/api/v1/call/status/${callId}`)).body.data.position;

/** The longest wait of the department, as the socket and the overview have it. */
async function waits(department_id: string): Promise<number[]> {
  const [queue] = await test.get(QueueSummaries).ofDepartments(tenant.id, [department_id]);
  const counts = await test.get(QueueSummaries).countsOf(tenant.id, department_id);
  expect(counts).toMatchObject({ longest_wait: queue?.longest_wait });
  const query = `date_from=2020-01-01&date_to=2020-01-02&department_id=${department_id}`;
  const answer = await tenant.owner.api.get(`/api/v1/analytics/overview?${query}`);
  return [queue?.longest_wait ?? 0, answer.body.data.current_longest_wait];
}

describe('the alert about a long wait', () => {
  it('is sent once to supervisors and webhooks, and again for the next episode', async () => {
    await configure({ alert_longest_wait: 300 });
    const attendant = await connect((await tenant.member('attendant', [department.id])).token);
    const supervisor = await connect((await tenant.member('supervisor')).token);
    const owner = await connect(tenant.owner.token);
    const { call_id } = await tenant.join(link);
    const { rows } = await test.db.query('SELECT inserted_at FROM calls WHERE id = $1', [call_id]);
    test.clock.advance(290);
    await check();
    expect(await alerts()).toEqual([]);
    test.clock.advance(11);
    await checkUntil(1, 1);
    const expected = {
      kind: 'longest_wait',
      department_id: department.id,
      since: secondsAfter(rows[0].inserted_at, 300).toISOString(),
    };
    const { at, ...alert } = await supervisor.waitFor('alert');
    expect(alert).toEqual(expected);
    expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(expected.since));
    expect(await owner.waitFor('alert')).toEqual({ at, ...alert });
    expect(await deliveredAlerts()).toEqual([expected]);
    test.clock.advance(60);
    const { call_id: next } = await tenant.join(link);
    await check();
    await act(call_id, 'start');
    await checkUntil(1, 0);

    test.clock.advance(301);
    await checkUntil(2, 1);
    await until(
      () => supervisor.all('alert').length === 2,
      () => 'the second episode was not announced',
    );
    await act(next, 'start');
    await checkUntil(2, 0);
    expect(await deliveredAlerts()).toHaveLength(2);
    expect(attendant.all('alert')).toEqual([]);
    expect(owner.all('alert')).toHaveLength(2);
  });

  it('is not about a customer who will be called back, who would hide the others', async () => {
    expectStatus(
      await tenant.owner.api.put(`/api/v1/departments/${department.id}`, {
        department: { callback_enabled: true },
      }),
      200,
    );
    const present = await tenant.join(link);
    const away = await tenant.join(link);
    await callbackRequested(test, away);
    await act(present.call_id, 'start');
    await configure({ alert_longest_wait: 300, alert_nobody_available: true });
    test.clock.advance(3600);
    await check();
    expect(await alerts()).toEqual([]);
    expect((await cancelCallback(test, away)).status).toBe(204);
    await checkUntil(2, 2);
  });

  it('is that of the call that joined first, whatever the order of the line', async () => {
    // Otherwise the call of priority 9 has waited long enough, too, before a test of the wrong call fails.
    test.clock.stop();
    await configure({ alert_longest_wait: 100 });
    const first = await tenant.join(link);
    const urgentLink = (await tenant.link(department.id, { priority: 9 })) as { token: string };
    test.clock.advance(60);
    const urgent = await tenant.join(urgentLink);
    expect([urgent.position, await positionOf(first.call_id)]).toEqual([1, 2]);
    test.clock.advance(39);
    await check();
    expect(await alerts()).toEqual([]);
    test.clock.advance(1);
    await checkUntil(1, 1);
    expect((await alerts())[0]?.since).toEqual(test.clock.now());
    await act(first.call_id, 'start');
    await checkUntil(1, 0);
    test.clock.advance(59);
    await check();
    expect(await alerts()).toHaveLength(1);
    test.clock.advance(1);
    await checkUntil(2, 1);
    expect((await alerts())[1]?.since).toEqual(test.clock.now());
  });

  it('counts a transferred call from the transfer, as the figures of the queue do', async () => {
    test.clock.stop();
    await configure({ alert_longest_wait: 300 });
    const agent = await tenant.member();
    const { call_id } = await activeCall(tenant, link as { token: string }, agent);
    test.clock.advance(500);
    const target = await tenant.queue({ max_wait_time: 36_000 });
    const { call_id: earlier } = await tenant.join(target.link);
    test.clock.advance(100);
    await transfer(agent, call_id, { department_id: target.department.id });
    test.clock.advance(199);
    await check();
    expect(await alerts()).toEqual([]);
    test.clock.advance(1);
    await checkUntil(1, 1);
    expect(await waits(target.department.id)).toEqual([300, 300]);
    await act(earlier, 'start');
    await checkUntil(1, 0);
    expect(await waits(target.department.id)).toEqual([200, 200]);
    test.clock.advance(99);
    await check();
    expect(await alerts()).toHaveLength(1);
    test.clock.advance(1);
    await checkUntil(2, 1);
    expect((await alerts())[1]).toMatchObject({
      department_id: target.department.id,
      since: test.clock.now(),
    });
  });

  it('ends when the company no longer wants it, or is suspended, and begins again', async () => {
    await configure({ alert_longest_wait: 10 });
    await tenant.join(link);
    test.clock.advance(11);
    await checkUntil(1, 1);
    await configure({ alert_longest_wait: null });
    await checkUntil(1, 0);
    await configure({ alert_longest_wait: 10 });
    await checkUntil(2, 1);
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [tenant.id]);
    await checkUntil(2, 0);
  });
});

describe('the alert that nobody is available', () => {
  let agent: Member;

  beforeEach(async () => {
    agent = await tenant.member('attendant', [department.id]);
  });

  it('begins when calls wait and all agents are offline or paused, and ends when either ends', async () => {
    await configure({ alert_nobody_available: true });
    await check();
    expect(await alerts()).toEqual([]);
    const { call_id } = await tenant.join(link);
    await checkUntil(1, 1);
    const socket = await connect(agent.token);
    await checkUntil(1, 0);
    expect(await socket.send('set_presence', { presence: 'away' })).toMatchObject({ ok: true });
    await checkUntil(2, 1);
    // Agents in calls will be available again.
    await act(call_id, 'assign', agent);
    await tenant.join(link);
    await checkUntil(2, 0);
    const [first] = await deliveredAlerts();
    expect(first).toEqual({
      kind: 'nobody_available',
      department_id: department.id,
      since: expect.stringMatching(/Z$/),
    });
  });

  it('is for the agents of the department, of whom inactive ones do not count', async () => {
    await configure({ alert_nobody_available: true });
    const colleague = await tenant.member();
    await connect(colleague.token);
    await tenant.join(link);
    await checkUntil(1, 1);
    const joined = { department_ids: [department.id] };
    expectStatus(await tenant.owner.api.put(`/api/v1/users/${colleague.id}`, joined), 200);
    await checkUntil(1, 0);
    expectStatus(await tenant.owner.api.put(`/api/v1/users/${colleague.id}`, { active: false }), 200);
    await checkUntil(2, 1);
  });

  it('does not count customers who will be called back, and neither do longest waits', async () => {
    test.clock.stop();
    const calling = await unstaffedCallingQueue(tenant);
    await callbackRequested(test, await tenant.join(calling.link));
    // Not before: the service itself may look at any moment.
    await configure({ alert_nobody_available: true, alert_longest_wait: 300 });
    test.clock.advance(600);
    await check();
    expect(await alerts()).toEqual([]);
    expect(await waits(calling.department.id)).toEqual([0, null]);
    const [summary] = await test.get(QueueSummaries).ofDepartments(tenant.id, [calling.department.id]);
    expect(summary).toMatchObject({ size: 1, calls: [{}] });
    await tenant.join(calling.link);
    await checkUntil(1, 1);
    test.clock.advance(300);
    await checkUntil(2, 2);
    expect(await waits(calling.department.id)).toEqual([300, 300]);
  });

  it('is not made unless the company wants it', async () => {
    await tenant.join(link);
    test.clock.advance(3600);
    await check();
    expect(await alerts()).toEqual([]);
  });
});

describe('a check', () => {
  it('reads one entry of a line, however long it is', async () => {
    await configure({ alert_longest_wait: 86_400, alert_nobody_available: true });
    const read = async () => {
      await test.db.query('ANALYZE line_entries, calls, tenants, departments, queue_alerts');
      // The statement writes, so this is rolled back.
      const undo = new Error('undo');
      let plan: Json;
      const explained = test.get(Database).system(async (tx) => {
        plan = await planOf(tx, updateAlertsStatement(test.clock.now()));
        throw undo;
      });
      await expect(explained).rejects.toBe(undo);
      const nodes = [...nodesReading(plan, 'line_entries'), ...nodesReading(plan, 'calls')];
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      return entriesRead(nodes);
    };
    await insertWaitingCalls(test, tenant.id, department.id, 500);
    const short = await read();
    await insertWaitingCalls(test, tenant.id, department.id, 5000);
    expect(await read()).toBe(short);
  });
});
