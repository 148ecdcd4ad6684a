import { SocketReconciler } from '../../src/live/socket-reconciler';
import { SocketServer } from '../../src/live/socket-server';
import { tokenFor } from '../support/http/tokens';
import type { Json } from '../support/http/api';
import { type Member, someId, TestTenant } from '../support/builders';
import { startTestApp, type TestApp } from '../support/test-app';
import { TestSocket } from '../support/sockets/socket';
import { until } from '../support/until';

const told = (socket: TestSocket): number => socket.all('token_expiring').length;

/** Corrects the state of open sockets every few seconds, because the message about a change may have been lost. */
describe('SocketReconciler', () => {
  let test: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    test = await startTestApp();
    tenant = await TestTenant.register(test);
  });

  afterAll(() => test.close());

  const presenceOf = async ({ id }: Member) =>
    (await tenant.owner.api.get(`/api/v1/users/${id}`)).body.data.presence;

  it('removes connections without a socket, so that no user stays online without one', async () => {
    const agent = await tenant.member('attendant');
    const socket = await TestSocket.connect(test.url, agent.token);
    // A second connection without a socket, as if the end of that socket could not be recorded.
    await test.db.query(
      `INSERT INTO connections (tenant_id, instance_id, socket_id, user_id)
       SELECT tenant_id, instance_id, $1, user_id FROM connections WHERE user_id = $2`,
      [`ghost-${someId()}`, agent.id],
    );
    socket.close();
    await until(async () => (await presenceOf(agent)) === 'offline');
    const { rows } = await test.db.query('SELECT FROM connections WHERE user_id = $1', [agent.id]);
    expect(rows).toEqual([]);
  });

  /** Lets the tokens of all sockets expire after that time. */
  const expireIn = (ms: number) => {
    for (const { data } of test.get(SocketServer).localSockets()) data.expires_at = Date.now() + ms;
  };

  /** Lets the reconciler tell what it has to. */
  async function reconcile(socket: TestSocket): Promise<void> {
    for (let n = 0; n < 3; n++) await test.get(SocketReconciler).reconcile();
    expect(await socket.send('snapshot')).toMatchObject({ ok: true });
  }

  it('tells a socket a minute before its token expires, once for each token', async () => {
    const agent = await tenant.member('attendant');
    const { link } = await tenant.queue();
    const socket = await TestSocket.connect(test.url, agent.token);
    const customer = await TestSocket.connect(test.url, (await tenant.join(link)).websocket_token);
    expireIn(75_000);
    await reconcile(socket);
    expect([told(socket), told(customer)]).toEqual([0, 0]);
    expireIn(59_000);
    expect(await socket.waitFor('token_expiring')).toEqual({
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      at: expect.any(String),
    });
    await customer.waitFor('token_expiring');
    await reconcile(socket);
    expect([told(socket), told(customer)]).toEqual([1, 1]);
    const lasting = tokenFor(test, agent, 900);
    expect(await socket.send('authenticate', { token: lasting })).toEqual({ ok: true });
    await reconcile(socket);
    expect(told(socket)).toBe(1);
    expireIn(58_000);
    await until(() => told(socket) === 2);
    customer.close();
    socket.close();
  });

  it('takes the token with which a customer replaces the one that expires', async () => {
    const { link } = await tenant.queue();
    const { websocket_token } = await tenant.join(link);
    const customer = await TestSocket.connect(test.url, websocket_token);
    expireIn(0);
    expect(await customer.send('snapshot')).toMatchObject({ error: { code: 'token_expired' } });
    const { body } = await test.api.post('/api/v1/call/resume', { websocket_token });
    const token = body.data.websocket_token;
    expect(await customer.send('authenticate', { token })).toEqual({ ok: true });
    expect(await customer.send('snapshot')).toMatchObject({ ok: true });
    customer.close();
  });

  it('tells of a token that lasts for a minute after half of it, so that it is not renewed at once', async () => {
    const agent = await tenant.member('attendant');
    const socket = await TestSocket.connect(test.url, agent.token);
    const brief = tokenFor(test, agent, 60);
    expect(await socket.send('authenticate', { token: brief })).toEqual({ ok: true });
    expireIn(45_000);
    await reconcile(socket);
    expect(told(socket)).toBe(0);
    expireIn(29_000);
    await socket.waitFor('token_expiring');
    socket.close();
  });

  it('registers all sockets again when the instance was presumed dead', async () => {
    const { department, link } = await tenant.queue();
    const agent = await tenant.member('attendant', [department.id]);
    const entry = await tenant.join(link);
    const socket = await TestSocket.connect(test.url, agent.token);
    const customer = await TestSocket.connect(test.url, entry.websocket_token);
    await agent.api.post(`/api/v1/calls/${entry.call_id}/assign`);
    await socket.send('join_call', { call_id: entry.call_id });
    await agent.api.post(`/api/v1/calls/${entry.call_id}/start`);
    // Another instance does this when it receives no heartbeat of this one.
    await test.db.query('BEGIN; DELETE FROM connections; DELETE FROM instances; COMMIT');
    await until(
      async () => {
        const { rows } = await test.db.query(
          'SELECT user_id, call_id FROM connections WHERE user_id = $1 OR call_id = $2',
          [agent.id, entry.call_id],
        );
        return rows.length === 3;
      },
      () => 'the agent, the agent in the call and the customer are not all registered again',
    );
    customer.close();
    await socket.waitFor('peer_disconnected', (payload) => payload.participant === 'customer');
    socket.close();
  });

  it('moves sockets to the rooms that their users may watch, even without a message about the change', async () => {
    const { department, link } = await tenant.queue({ max_queue_size: 10_000 });
    const member = await tenant.member('attendant');
    const socket = await TestSocket.connect(test.url, member.token);
    const owner = await TestSocket.connect(test.url, tenant.owner.token);
    /** Lets a customer join. @returns whether the member receives the update, as the owner always does */
    const receivesUpdate = async () => {
      const isUpdated = (queue: Json) => queue.department_id === department.id && queue.size >= position;
      const { position } = await tenant.join(link);
      await owner.waitFor('queue_updated', isUpdated);
      // The acknowledgement comes after everything that was sent before it.
      await socket.send('snapshot');
      return socket.all('queue_updated').some(isUpdated);
    };
    expect(await receivesUpdate()).toBe(false);
    await test.db.query(
      'INSERT INTO department_members (tenant_id, department_id, user_id) VALUES ($1, $2, $3)',
      [tenant.id, department.id, member.id],
    );
    await test.get(SocketReconciler).reconcile();
    expect(await receivesUpdate()).toBe(true);
    await test.db.query('DELETE FROM department_members WHERE user_id = $1', [member.id]);
    await test.get(SocketReconciler).reconcile();
    expect(await receivesUpdate()).toBe(false);
    socket.close();
    owner.close();
  });
});
