import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { TestSocket } from '../support/sockets/socket';
import { until } from '../support/until';
import { Cluster } from './support/cluster';
import { DELIVERED } from '../support/sockets/signals';

/** Clients of one instance receive the events of the other. */
describe('two instances', () => {
  let cluster: Cluster;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;
  let agent: Member;
  const sockets: TestSocket[] = [];

  beforeAll(async () => {
    cluster = await Cluster.start();
    tenant = await TestTenant.register(cluster.test);
    ({ department, link } = await tenant.queue());
    agent = await tenant.member('attendant', [department.id]);
  });

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });

  afterAll(() => cluster?.stop());

  async function connect(instance: { url: string }, token: string): Promise<TestSocket> {
    const socket = await TestSocket.connect(instance.url, token);
    sockets.push(socket);
    return socket;
  }

  it('handle a whole call with its customer on one and its agent on the other', async () => {
    const { a, b } = cluster;
    const staff = await connect(b, agent.token);
    await staff.send('watch_department', { department_id: department.id });
    const entry = await tenant.join(link);
    const customer = await connect(a, entry.websocket_token);
    await staff.waitFor('queue_updated', (event) => event.calls?.[0]?.id === entry.call_id);

    await b.api.as(agent.token).post(`/api/v1/calls/${entry.call_id}/assign`);
    await customer.waitFor('call_assigned', ({ agent: { name } }) => name === agent.name);
    expect(await staff.send('join_call', { call_id: entry.call_id })).toMatchObject({ ok: true });

    const description = { type: 'offer', sdp: 'v=0\r\n' };
    expect(await staff.send('signal', { description })).toEqual(DELIVERED);
    expect(await customer.waitFor('signal')).toMatchObject({ from: 'agent', description });
    const candidate = { candidate: 'candidate:1', sdpMid: '0' };
    expect(await customer.send('signal', { candidate })).toEqual(DELIVERED);
    expect(await staff.waitFor('signal')).toMatchObject({ from: 'customer', candidate });
    expect([staff.all('signal').length, customer.all('signal').length]).toEqual([1, 1]);

    await b.api.as(agent.token).post(`/api/v1/calls/${entry.call_id}/start`);
    await customer.waitFor('call_started');
    await staff.waitFor('presence_changed', ({ presence }) => presence === 'busy');

    customer.close();
    await staff.waitFor('peer_disconnected', ({ participant }) => participant === 'customer');
    const back = await connect(a, entry.websocket_token);
    await staff.waitFor('peer_reconnected', ({ participant }) => participant === 'customer');

    expect(await back.send('end_call')).toMatchObject({ ok: true, data: { status: 'completed' } });
    await staff.waitFor('call_ended', (event) => event.id === entry.call_id && event.status === 'completed');
    for (const name of ['call_assigned', 'call_started']) expect(customer.all(name)).toHaveLength(1);
    expect(staff.all('call_ended')).toHaveLength(1);
  });

  it('disconnect the oldest socket of a call or user that has too many on both', async () => {
    const { a, b } = cluster;
    const { websocket_token } = await tenant.join((await tenant.queue()).link);
    const member = await tenant.member();
    for (const [token, max] of [
      [websocket_token, 5],
      [member.token, 20],
    ] as const) {
      const open: TestSocket[] = [];
      for (let count = 1; count <= max + 1; count++) open.push(await connect(count % 2 === 0 ? a : b, token));
      await until(() => !open[0]?.io.connected);
      expect(open.filter(({ io }) => io.connected)).toHaveLength(max);
    }
  });

  it('send each waiting customer on either instance their position once', async () => {
    const { a, b } = cluster;
    const queue = await tenant.queue();
    const entries: Json[] = [];
    for (let count = 1; count <= 4; count++) entries.push(await tenant.join(queue.link));
    const waiting = await Promise.all(
      entries.map(({ websocket_token }, index) => connect(index % 2 === 0 ? a : b, websocket_token)),
    );
    for (const [index, socket] of waiting.entries()) {
      await socket.waitFor('queue_position', ({ position }) => position === index + 1);
    }

    await b.api.post(`/api/v1/call/cancel/${entries[0].call_id}`, undefined, {
      token: entries[0].websocket_token,
    });

    for (const [index, socket] of waiting.slice(1).entries()) {
      await socket.waitFor('queue_position', ({ position }) => position === index + 1);
      const positions = socket.all('queue_position').map(({ position }) => position);
      expect(positions).toEqual([index + 2, index + 1]);
    }
    await waiting[0]?.waitFor('call_ended', ({ status }) => status === 'cancelled');
  });

  it('count the agents of both and notify each colleague once', async () => {
    const { a, b } = cluster;
    const queue = await tenant.queue();
    const [first, second] = [
      await tenant.member('attendant', [queue.department.id]),
      await tenant.member('attendant', [queue.department.id]),
    ];
    const one = await connect(a, first.token);
    await connect(b, second.token);

    await one.waitFor('presence_changed', (n) => n.user_id === second.id && n.presence === 'online');
    const notifications = one.all('presence_changed').filter(({ user_id }) => user_id === second.id);
    expect(notifications).toHaveLength(1);
    for (const { api } of [a, b]) {
      const { data } = (await api.get(`/api/v1/call/${queue.link.token}/validate`)).body;
      expect(data.online_agents).toBe(2);
    }
  });

  it('disconnect a socket on one when its session ends on the other', async () => {
    const { a, b } = cluster;
    const leaver = await tenant.member('attendant', [department.id]);
    const socket = await connect(a, leaver.token);
    // This instance has cached the session for 5 s.
    expect((await a.api.as(leaver.token).get('/api/v1/users/me')).status).toBe(200);
    const cut = new Promise((resolve) => socket.io.once('disconnect', resolve));

    expect((await b.api.as(leaver.token).post('/api/auth/logout')).status).toBe(204);

    await cut;
    expect((await a.api.as(leaver.token).get('/api/v1/users/me')).status).toBe(401);
    await expect(TestSocket.connect(a.url, leaver.token)).rejects.toThrow();
  });

  it('subscribe a socket on one to a department that its user joins on the other', async () => {
    const { a } = cluster;
    const mover = await tenant.member('attendant', [department.id]);
    const socket = await connect(a, mover.token);
    const target = await tenant.queue();
    const members = `/api/v1/departments/${target.department.id}/users`;
    expect((await tenant.owner.api.post(members, { user_id: mover.id })).status).toBe(201);

    await tenant.join(target.link);

    await socket.waitFor(
      'queue_updated',
      (event) => event.department_id === target.department.id && event.size === 1,
    );
  });
});
