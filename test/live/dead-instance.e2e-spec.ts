import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import { InstanceHeartbeat } from '../../src/presence/instance-heartbeat';
import { PresencePeriods } from '../../src/presence/presence-periods';
import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { callRow } from '../support/database/rows';
import { TestSocket } from '../support/sockets/socket';
import { sweep } from '../support/contexts/sweep';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** Another instance that was killed: its lease beats no more, and its connections stayed behind. */
describe('an instance that died', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;
  let agent: Member;

  beforeAll(async () => {
    test = await startTestApp();
    tenant = await TestTenant.register(test);
    ({ department, link } = await tenant.queue());
    agent = await tenant.member('attendant', [department.id]);
  });

  afterAll(() => test.close());

  /** An instance with these connections whose last heartbeat was `seconds` ago. */
  async function instance(
    seconds: number,
    connections: { user_id?: string; call_id?: string }[],
  ): Promise<string> {
    const id = randomUUID();
    await test.db.query('BEGIN');
    await test.db.query(
      `INSERT INTO instances (id, heartbeat_at) VALUES ($1, clock_timestamp() - make_interval(secs => $2))`,
      [id, seconds],
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

  const isBuried = (id: string) =>
    until(
      async () => (await test.db.query('SELECT FROM instances WHERE id = $1', [id])).rows.length === 0,
      () => 'the dead instance is still there',
      5000,
    );

  const onlineAgents = async () =>
    (await test.api.get(`/api/v1/call/${link.token}/validate`)).body.data.online_agents;

  const once = (column: string, id: string) =>
    test.db.query(`UPDATE calls SET ${column} = inserted_at WHERE id = $1`, [id]);

  it('leaves no ghost online, and its calls get their grace', async () => {
    const [talking, waiting] = [await tenant.join(link), await tenant.join(link)];
    await agent.api.post(`/api/v1/calls/${talking.call_id}/start`);
    await once('customer_connected_at', talking.call_id);
    await once('agent_connected_at', talking.call_id);
    await once('customer_connected_at', waiting.call_id);
    const ghost = await tenant.member('attendant', [department.id]);
    const whose = [ghost.id, tenant.id];
    await test.db.query(
      `INSERT INTO presences (user_id, tenant_id, announced) VALUES ($1, $2, 'online')`,
      whose,
    );
    await test.db.query(
      `INSERT INTO presence_periods (user_id, tenant_id, presence, began_at)
       VALUES ($1, $2, 'online', now() - interval '1 hour')`,
      whose,
    );
    const watching = await TestSocket.connect(test.url, tenant.owner.token);

    const id = await instance(11, [
      { user_id: ghost.id },
      { user_id: agent.id },
      { user_id: agent.id, call_id: talking.call_id },
      { call_id: talking.call_id },
      { call_id: waiting.call_id },
    ]);
    await isBuried(id);

    await watching.waitFor(
      'presence_changed',
      (news) => news.user_id === ghost.id && news.presence === 'offline',
    );
    // Online to the last that was heard of the instance, not until somebody noticed.
    const { rows } = await test.db.query(
      `SELECT round(extract(epoch FROM now() - ended_at)) AS ago FROM presence_periods WHERE user_id = $1`,
      [ghost.id],
    );
    expect(rows).toHaveLength(1);
    expect(Number(rows[0].ago)).toBeGreaterThanOrEqual(11);
    expect(Number(rows[0].ago)).toBeLessThan(30);
    // The agent in the active call is busy; the ghost is not counted.
    expect(await onlineAgents()).toBe(1);
    const row = await callRow(test, talking.call_id);
    expect(row).toMatchObject({ status: 'active', disconnected_at: expect.any(Date) });
    expect(row.customer_grace_deadline).not.toBeNull();
    expect(row.agent_grace_deadline).not.toBeNull();
    const gone = watching.all('call_updated').filter((news) => news.call_id === talking.call_id);
    expect(gone).toHaveLength(2);
    expect((await callRow(test, waiting.call_id)).absence_deadline).not.toBeNull();

    test.clock.advance(61);
    await sweep(test);
    const ended = { status: 'completed', end_reason: 'disconnect' };
    expect(await callRow(test, talking.call_id)).toMatchObject(ended);
    expect((await callRow(test, waiting.call_id)).status).toBe('abandoned');
    await until(async () => (await onlineAgents()) === 0);
    watching.close();
  });

  it('ends no period before it began, however clocks differ', async () => {
    const member = await tenant.member();
    const turn = (presence: 'online' | 'busy' | 'offline', seconds: number) =>
      test
        .get(Database)
        .tenant(tenant.id, (tx) =>
          test.get(PresencePeriods).switchPeriod(tx, tenant.id, member.id, presence, test.clock.in(seconds)),
        );
    await turn('online', 0);
    await turn('busy', -5);
    await turn('offline', 10);
    const { rows } = await test.db.query(
      `SELECT presence, extract(epoch FROM ended_at - began_at)::int AS seconds FROM presence_periods
       WHERE user_id = $1 ORDER BY id`,
      [member.id],
    );
    expect(rows).toEqual([
      { presence: 'online', seconds: 0 },
      { presence: 'busy', seconds: 15 },
    ]);
  });

  it('takes nobody along who has reconnected elsewhere', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const here = await TestSocket.connect(test.url, websocket_token);
    await agent.api.post(`/api/v1/calls/${call_id}/start`);
    await isBuried(await instance(11, [{ call_id }]));
    expect(await callRow(test, call_id)).toMatchObject({ status: 'active', customer_grace_deadline: null });
    expect(here.all('peer_disconnected')).toEqual([]);
    here.close();
  });

  it('is not one that still beats', async () => {
    const member = await tenant.member('attendant', [department.id]);
    const alive = await instance(5, [{ user_id: member.id }]);
    await isBuried(await instance(11, []));
    const { rows } = await test.db.query('SELECT FROM connections WHERE instance_id = $1', [alive]);
    expect(rows).toHaveLength(1);
    await test.db.query('DELETE FROM connections WHERE instance_id = $1', [alive]);
    await test.db.query('DELETE FROM instances WHERE id = $1', [alive]);
  });

  it('when it was only held for dead, enters its sockets again', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await TestSocket.connect(test.url, websocket_token);
    const staff = await TestSocket.connect(test.url, agent.token);
    await agent.api.post(`/api/v1/calls/${call_id}/start`);
    await staff.send('join_call', { call_id });
    // What another instance does once this one has been silent for too long.
    const own = test.get(InstanceHeartbeat).id;
    await test.db.query('DELETE FROM connections WHERE instance_id = $1', [own]);
    await test.db.query('DELETE FROM instances WHERE id = $1', [own]);
    await until(
      async () => {
        const { rows } = await test.db.query('SELECT FROM connections WHERE instance_id = $1', [own]);
        return rows.length === 3;
      },
      () => 'the sockets were not entered again',
      8000,
    );
    expect(await customer.send('snapshot')).toMatchObject({ ok: true, data: { status: 'active' } });
    customer.close();
    expect(await staff.waitFor('peer_disconnected')).toMatchObject({ participant: 'customer' });
    staff.close();
  });
});
