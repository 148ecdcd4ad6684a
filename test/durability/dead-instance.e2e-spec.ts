import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { Database } from '../../src/platform/database/database';
import { InstanceHeartbeat } from '../../src/presence/instance-heartbeat';
import type { AnnouncedState } from '../../src/routing/agents/agent.events';
import { PresencePeriods } from '../../src/routing/agents/presence-periods';
import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { waitForLockWaiters } from '../support/database/lock-waiters';
import { callRow } from '../support/database/rows';
import { TestSocket } from '../support/sockets/socket';
import { sweep } from '../support/contexts/sweep';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** Another instance that was killed: its heartbeat has stopped, but its connections are still recorded. */
describe('a dead instance', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;
  let agent: Member;

  beforeAll(async () => {
    test = await startTestApp({ env: { QUEUE_ABSENCE_SECONDS: '60' } });
    tenant = await TestTenant.register(test);
    ({ department, link } = await tenant.queue());
    agent = await tenant.member('attendant', [department.id]);
  });

  afterAll(() => test.close());

  /**
   * Inserts an instance with these connections whose last heartbeat was `seconds` ago.
   * @param isMarked whether another instance has found it dead already; this one judges others only some seconds after its
   *   start, or after a heartbeat of its own that was late
   * @returns its id
   */
  async function insertInstance(
    seconds: number,
    connections: { user_id?: string; call_id?: string }[],
    isMarked = false,
  ): Promise<string> {
    const id = randomUUID();
    await test.db.query('BEGIN');
    await test.db.query(
      `INSERT INTO instances (id, heartbeat_at, dead_at) VALUES
         ($1, clock_timestamp() - make_interval(secs => $2), CASE WHEN $3 THEN clock_timestamp() END)`,
      [id, seconds, isMarked],
    );
    for (const { user_id = null, call_id = null } of connections) {
      await test.db.query(
        `INSERT INTO connections (tenant_id, instance_id, socket_id, user_id, call_id)
         VALUES ($1, $2, $3, $4, $5)`,
        [tenant.id, id, randomUUID(), user_id, call_id],
      );
    }
    await test.db.query('COMMIT');
    return id;
  }

  const waitUntilRemoved = (id: string) =>
    until(
      async () => (await test.db.query('SELECT FROM instances WHERE id = $1', [id])).rows.length === 0,
      () => 'the dead instance is still there',
    );

  const onlineAgents = async () =>
    (await test.api.get(`/api/v1/call/${link.token}/validate`)).body.data.online_agents;

  const setConnected = (column: string, id: string) =>
    test.db.query(`UPDATE calls SET ${column} = inserted_at WHERE id = $1`, [id]);

  it('leaves no agent online, and its calls get grace and absence deadlines', async () => {
    const [activeCall, waitingCall] = [await tenant.join(link), await tenant.join(link)];
    await agent.api.post(`/api/v1/calls/${activeCall.call_id}/start`);
    await setConnected('customer_connected_at', activeCall.call_id);
    await setConnected('agent_connected_at', activeCall.call_id);
    await setConnected('customer_connected_at', waitingCall.call_id);
    const staleAgent = await tenant.member('attendant', [department.id]);
    const parameters = [staleAgent.id, tenant.id];
    await test.db.query(
      `UPDATE presences SET announced = 'online' WHERE user_id = $1 AND tenant_id = $2`,
      parameters,
    );
    await test.db.query(
      `INSERT INTO presence_periods (user_id, tenant_id, presence, began_at)
       VALUES ($1, $2, 'online', now() - interval '1 hour')`,
      parameters,
    );
    const watcher = await TestSocket.connect(test.url, tenant.owner.token);

    const id = await insertInstance(11, [
      { user_id: staleAgent.id },
      { user_id: agent.id },
      { user_id: agent.id, call_id: activeCall.call_id },
      { call_id: activeCall.call_id },
      { call_id: waitingCall.call_id },
    ]);
    await waitUntilRemoved(id);

    await watcher.waitFor(
      'presence_changed',
      (change) => change.user_id === staleAgent.id && change.presence === 'offline',
    );
    // The presence period ends at the last heartbeat of the instance, not when its death was noticed.
    const { rows } = await test.db.query(
      `SELECT round(extract(epoch FROM now() - ended_at)) AS ago FROM presence_periods WHERE user_id = $1`,
      [staleAgent.id],
    );
    expect(rows).toHaveLength(1);
    expect(Number(rows[0].ago)).toBeGreaterThanOrEqual(11);
    expect(Number(rows[0].ago)).toBeLessThan(600);
    // The agent in the active call is busy and counts; the agent of the dead instance does not.
    expect(await onlineAgents()).toBe(1);
    const row = await callRow(test, activeCall.call_id);
    expect(row).toMatchObject({ status: 'active', disconnected_at: expect.any(Date) });
    expect(row.customer_grace_deadline).not.toBeNull();
    expect(row.agent_grace_deadline).not.toBeNull();
    const updates = () =>
      watcher.all('call_updated').filter((update) => update.call_id === activeCall.call_id);
    await until(() => updates().length >= 2);
    expect(updates()).toHaveLength(2);
    expect((await callRow(test, waitingCall.call_id)).absence_deadline).not.toBeNull();

    test.clock.advance(61);
    await sweep(test);
    const ended = { status: 'completed', end_reason: 'disconnect' };
    expect(await callRow(test, activeCall.call_id)).toMatchObject(ended);
    expect((await callRow(test, waitingCall.call_id)).status).toBe('abandoned');
    await until(async () => (await onlineAgents()) === 0);
    watcher.close();
  });

  it('ends no presence period before it began, even if clocks differ', async () => {
    const member = await tenant.member();
    const switchTo = (period: Pick<AnnouncedState, 'presence' | 'state'>, seconds: number) =>
      test.get(Database).tenant(tenant.id, async (tx) => {
        const periods = [{ ...period, user_id: member.id, reason: null }];
        test.get(PresencePeriods).switchTo(tx, tenant.id, periods, test.clock.in(seconds));
      });
    await switchTo({ presence: 'online', state: 'available' }, 0);
    await switchTo({ presence: 'busy', state: 'on_call' }, -5);
    await switchTo({ presence: 'offline', state: 'offline' }, 10);
    const { rows } = await test.db.query(
      `SELECT presence, state, extract(epoch FROM ended_at - began_at)::int AS seconds FROM presence_periods
       WHERE user_id = $1 ORDER BY id`,
      [member.id],
    );
    expect(rows).toEqual([
      { presence: 'online', state: 'available', seconds: 0 },
      { presence: 'busy', state: 'on_call', seconds: 15 },
    ]);
  });

  it('does not affect customers who have reconnected to another instance', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const reconnected = await TestSocket.connect(test.url, websocket_token);
    await agent.api.post(`/api/v1/calls/${call_id}/start`);
    await waitUntilRemoved(await insertInstance(11, [{ call_id }]));
    expect(await callRow(test, call_id)).toMatchObject({ status: 'active', customer_grace_deadline: null });
    expect(reconnected.all('peer_disconnected')).toEqual([]);
    reconnected.close();
  });

  it('is removed call by call: one that is locked holds up no other call or transaction', async () => {
    const longQueue = await tenant.queue({ max_queue_size: 100 });
    const joined: string[] = [];
    for (let n = 0; n < 30; n++) joined.push((await tenant.join(longQueue.link)).call_id);
    const [locked = '', ...others] = joined.toSorted().toReversed();
    const holder = new Client({ connectionString: test.databaseUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM calls WHERE id = $1 FOR NO KEY UPDATE', [locked]);
    const id = await insertInstance(
      11,
      joined.map((call_id) => ({ call_id })),
      true,
    );
    const connectedCalls = async () => {
      const { rows } = await test.db.query('SELECT call_id FROM connections WHERE instance_id = $1', [id]);
      return rows.map((row) => row.call_id);
    };
    await until(async () => (await connectedCalls()).length === 1);
    // The removal waits for the last call and has locked no other one.
    await waitForLockWaiters(test);
    await test.db.query(`SET lock_timeout = '500ms'`);
    await test.db.query('UPDATE calls SET updated_at = updated_at WHERE id = ANY ($1)', [others]);
    await test.db.query('RESET lock_timeout');
    expect(await connectedCalls()).toEqual([locked]);
    await holder.end();
    await waitUntilRemoved(id);
  });

  /** Runs `work` while a transaction holds the calls' locks. */
  async function whileLocked(callIds: string[], work: () => Promise<unknown>): Promise<void> {
    const holder = new Client({ connectionString: test.databaseUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM calls WHERE id = ANY ($1) FOR NO KEY UPDATE', [callIds]);
      await work();
    } finally {
      await holder.end();
    }
  }

  const waitUntilOffline = (userId: string) =>
    until(
      async () => {
        const { rows } = await test.db.query('SELECT FROM connections WHERE user_id = $1', [userId]);
        return rows.length === 0;
      },
      () => 'the agent is still online',
      // Less than a removal waits for the locks of the calls.
      9000,
    );

  it('leaves no agent online while its calls are locked', async () => {
    const member = await tenant.member('attendant', [department.id]);
    const waiting: string[] = [];
    for (let n = 0; n < 6; n++) waiting.push((await tenant.join(link)).call_id);
    const connections = [...waiting.map((call_id) => ({ call_id })), { user_id: member.id }];
    let id = '';
    await whileLocked(waiting, async () => {
      id = await insertInstance(11, connections, true);
      await waitUntilOffline(member.id);
    });
    await waitUntilRemoved(id);
  });

  it('is removed while the removal of another one waits for a lock', async () => {
    const member = await tenant.member('attendant', [department.id]);
    const { call_id } = await tenant.join(link);
    let first = '';
    await whileLocked([call_id], async () => {
      first = await insertInstance(11, [{ call_id }], true);
      await waitForLockWaiters(test);
      const second = await insertInstance(11, [{ user_id: member.id }], true);
      await waitUntilOffline(member.id);
      await waitUntilRemoved(second);
    });
    await waitUntilRemoved(first);
  });

  it('loses connections of calls that have ended, even while these are locked', async () => {
    const { call_id } = await tenant.join(link);
    await agent.api.post(`/api/v1/calls/${call_id}/start`);
    await agent.api.post(`/api/v1/calls/${call_id}/complete`, {});
    await whileLocked([call_id], async () => waitUntilRemoved(await insertInstance(11, [{ call_id }], true)));
  });

  it('keeps its remaining connections if it sends a heartbeat again while they are being removed', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await TestSocket.connect(test.url, websocket_token);
    const own = test.get(InstanceHeartbeat).id;
    // Another instance has marked this one and removed its connections.
    await test.db.query('UPDATE instances SET dead_at = clock_timestamp() WHERE id = $1', [own]);
    await test.db.query('DELETE FROM connections WHERE call_id = $1', [call_id]);
    await until(
      async () => {
        const { rows } = await test.db.query(
          `SELECT FROM connections JOIN instances i ON i.id = instance_id
           WHERE instance_id = $1 AND call_id = $2 AND dead_at IS NULL`,
          [own, call_id],
        );
        return rows.length === 1;
      },
      () => 'the socket was not registered again',
    );
    customer.close();
  });

  it('is not one that still sends heartbeats', async () => {
    const member = await tenant.member('attendant', [department.id]);
    // Its heartbeat stays recent for a minute, in which the other one is removed.
    const alive = await insertInstance(-50, [{ user_id: member.id }]);
    await waitUntilRemoved(await insertInstance(11, []));
    const { rows } = await test.db.query('SELECT FROM connections WHERE instance_id = $1', [alive]);
    expect(rows).toHaveLength(1);
    await test.db.query('DELETE FROM connections WHERE instance_id = $1', [alive]);
    await test.db.query('DELETE FROM instances WHERE id = $1', [alive]);
  });

  it('registers its sockets again if it was only presumed dead', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await TestSocket.connect(test.url, websocket_token);
    const staff = await TestSocket.connect(test.url, agent.token);
    await agent.api.post(`/api/v1/calls/${call_id}/start`);
    await staff.send('join_call', { call_id });
    // Another instance does this when this one has sent no heartbeat for too long.
    const own = test.get(InstanceHeartbeat).id;
    await test.db.query('DELETE FROM connections WHERE instance_id = $1', [own]);
    await test.db.query('DELETE FROM instances WHERE id = $1', [own]);
    await until(
      async () => {
        const { rows } = await test.db.query('SELECT FROM connections WHERE instance_id = $1', [own]);
        return rows.length === 3;
      },
      () => 'the sockets were not registered again',
    );
    expect(await customer.send('snapshot')).toMatchObject({ ok: true, data: { status: 'active' } });
    customer.close();
    expect(await staff.waitFor('peer_disconnected')).toMatchObject({ participant: 'customer' });
    staff.close();
  });
});
