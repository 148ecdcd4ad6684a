import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { TestSocket } from '../support/sockets/socket';
import { Cluster } from './support/cluster';
import { DELIVERED } from '../support/sockets/signals';

describe('when one of two instances is killed', () => {
  let cluster: Cluster;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;

  beforeAll(async () => {
    cluster = await Cluster.start();
    tenant = await TestTenant.register(cluster.test);
    ({ department, link } = await tenant.queue());
  });

  afterAll(() => cluster?.stop());

  /** Starts a call between a customer and an agent who are connected to these instances. */
  async function startCall(agent: Member, customerAt: { url: string }, agentAt: { url: string }) {
    const entry = await tenant.join(link);
    const customer = await TestSocket.connect(customerAt.url, entry.websocket_token);
    const staff = await TestSocket.connect(agentAt.url, agent.token);
    for (const step of ['assign', 'start']) {
      expect((await agent.api.post(`/api/v1/calls/${entry.call_id}/${step}`)).status).toBe(200);
    }
    expect(await staff.send('join_call', { call_id: entry.call_id })).toMatchObject({ ok: true });
    return { entry, customer, staff };
  }

  it('its sockets soon count as disconnected, and their calls resume on the other instance', async () => {
    const { a, b } = cluster;
    const [stays, goes, idle] = [
      await tenant.member('attendant', [department.id]),
      await tenant.member('attendant', [department.id]),
      await tenant.member('attendant', [department.id]),
    ];
    const losesCustomer = await startCall(stays, a, b);
    const losesAgent = await startCall(goes, b, a);
    await TestSocket.connect(a.url, idle.token);
    const waiting = await tenant.join(link);
    await TestSocket.connect(a.url, waiting.websocket_token);
    expect(await onlineAgents()).toBe(3);

    await a.kill();

    const disconnected = await losesCustomer.staff.waitFor('peer_disconnected');
    expect(disconnected).toMatchObject({ participant: 'customer', grace_seconds: 60 });
    expect(await losesAgent.customer.waitFor('peer_disconnected')).toMatchObject({ participant: 'agent' });
    await losesCustomer.staff.waitFor(
      'presence_changed',
      ({ user_id, presence }) => user_id === idle.id && presence === 'offline',
    );
    // Both agents in a call still count, although one of them is reconnecting; the idle one does not.
    expect(await onlineAgents()).toBe(2);
    const { rows } = await cluster.test.db.query(
      'SELECT absence_deadline > now() AS leaving FROM calls WHERE id = $1',
      [waiting.call_id],
    );
    expect(rows).toEqual([{ leaving: true }]);

    // The customer resumes the call on the other instance.
    const resume = { websocket_token: losesCustomer.entry.websocket_token };
    const resumed = await b.api.post('/api/v1/call/resume', resume);
    expect(resumed.body.data).toMatchObject({ call_id: losesCustomer.entry.call_id, status: 'active' });
    const back = await TestSocket.connect(b.url, resumed.body.data.websocket_token);
    await losesCustomer.staff.waitFor('peer_reconnected', ({ participant }) => participant === 'customer');
    const description = { type: 'offer', sdp: 'v=0\r\n' };
    expect(await losesCustomer.staff.send('signal', { description })).toEqual(DELIVERED);
    await back.waitFor('signal', ({ from }) => from === 'agent');
    await expectResumed(losesCustomer.entry.call_id);

    // The agent reconnects in the same way.
    const agentBack = await TestSocket.connect(b.url, goes.token);
    const { call_id } = losesAgent.entry;
    expect(await agentBack.send('join_call', { call_id })).toMatchObject({ ok: true });
    await losesAgent.customer.waitFor('peer_reconnected', ({ participant }) => participant === 'agent');
    await expectResumed(call_id);
    for (const each of [losesCustomer.staff, losesAgent.customer, back, agentBack]) each.close();
  });

  it('a new instance works with the remaining one', async () => {
    const next = await cluster.addInstance();
    const agent = await tenant.member('attendant', [department.id]);
    const staff = await TestSocket.connect(cluster.b.url, agent.token);
    const entry = await tenant.join(link);
    const customer = await TestSocket.connect(next.url, entry.websocket_token);

    expect((await agent.api.post(`/api/v1/calls/${entry.call_id}/assign`)).status).toBe(200);

    await customer.waitFor('call_assigned');
    customer.close();
    staff.close();
    expect((await next.stop()).code).toBe(0);
  });

  async function onlineAgents(): Promise<number> {
    const { data } = (await cluster.b.api.get(`/api/v1/call/${link.token}/validate`)).body;
    return data.online_agents;
  }

  async function expectResumed(callId: string): Promise<void> {
    const { rows } = await cluster.test.db.query(
      `SELECT status, customer_grace_deadline, agent_grace_deadline, reconnected_at IS NOT NULL AS back
       FROM calls WHERE id = $1`,
      [callId],
    );
    expect(rows).toEqual([
      { status: 'active', customer_grace_deadline: null, agent_grace_deadline: null, back: true },
    ]);
  }
});
