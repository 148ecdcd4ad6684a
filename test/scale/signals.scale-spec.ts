import { type Member, TestTenant } from '../support/builders';
import type { Json } from '../support/http/api';
import { oneTo } from '../support/database/rows';
import { TestSocket } from '../support/sockets/socket';
import { Cluster } from './support/cluster';
import { DELIVERED } from '../support/sockets/signals';

const OFFER = { description: { type: 'offer', sdp: 'v=0\r\n' } };

/** The customer is connected to one instance, the agent to the other. */
describe('signals between two instances', () => {
  let cluster: Cluster;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;
  const sockets: TestSocket[] = [];

  beforeAll(async () => {
    cluster = await Cluster.start();
    tenant = await TestTenant.register(cluster.test);
    ({ department, link } = await tenant.queue());
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

  const transition = (id: string, action: string, member: Member, body?: object) =>
    cluster.b.api.as(member.token).post(`/api/v1/calls/${id}/${action}`, body);

  /** A call whose signals both instances have relayed a moment ago. */
  async function signalledCall() {
    const { a, b } = cluster;
    const agent = await tenant.member('attendant', [department.id]);
    const { call_id, websocket_token } = await tenant.join(link);
    await transition(call_id, 'assign', agent);
    const customer = await connect(a, websocket_token);
    const staff = await connect(b, agent.token);
    expect(await staff.send('join_call', { call_id })).toMatchObject({ ok: true });
    for (const _ of oneTo(3)) {
      for (const side of [customer, staff]) expect(await side.send('signal', OFFER)).toEqual(DELIVERED);
    }
    await staff.waitFor('signal');
    return { call_id, agent, customer, staff };
  }

  it('stop on both when the call ends on one', async () => {
    const { call_id, agent, customer } = await signalledCall();
    await transition(call_id, 'complete', agent);
    await customer.waitFor('call_ended');
    const ack = await customer.send('signal', OFFER);
    expect(ack).toMatchObject({ ok: false, error: { code: 'invalid_state' } });
  });

  it('have the version of a change on the other', async () => {
    const { call_id, agent, customer, staff } = await signalledCall();
    await transition(call_id, 'start', agent);
    const { version } = await customer.waitFor('call_started');
    expect(await customer.send('signal', { description: { type: 'offer', sdp: 'after' } })).toEqual(
      DELIVERED,
    );
    const signal = await staff.waitFor('signal', ({ description }) => description.sdp === 'after');
    expect(signal.version).toBe(version);
  });

  it('go to the new agent after a hand-over', async () => {
    const { a } = cluster;
    const { call_id, customer, staff } = await signalledCall();
    const next = await tenant.member('attendant', [department.id]);
    const socket = await connect(a, next.token);
    const received = staff.all('signal').length;
    await transition(call_id, 'assign', tenant.owner, { user_id: next.id });
    await customer.waitFor('call_assigned', ({ agent }) => agent.name === next.name);
    expect(await customer.send('signal', OFFER)).toEqual(DELIVERED);
    await socket.waitFor('signal');
    await staff.send('snapshot');
    expect(staff.all('signal')).toHaveLength(received);
  });
});
