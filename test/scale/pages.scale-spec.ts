import { type Member, TestTenant } from '../support/builders';
import { flush, SDP_OFFER } from '../support/contexts/signalled-calls';
import { oneTo } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { DELIVERED, UNDELIVERED } from '../support/sockets/signals';
import { TestSocket } from '../support/sockets/socket';
import { until } from '../support/until';
import { Cluster } from './support/cluster';

const CANDIDATE = { candidate: { candidate: 'candidate:1', sdpMid: '0' } };
const TAKEN_OVER = { ok: false, error: { code: 'taken_over' } };

/** The pages of one call are connected to different instances. */
describe('pages on two instances', () => {
  let cluster: Cluster;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;
  const sockets: TestSocket[] = [];

  beforeAll(async () => {
    cluster = await Cluster.start();
    tenant = await TestTenant.register(cluster.test);
    ({ department, link } = await tenant.queue({ max_queue_size: 100 }));
  });

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });

  afterAll(() => cluster?.stop());

  async function page(instance: { url: string }, token: string, session: string): Promise<TestSocket> {
    const socket = await TestSocket.connect(instance.url, token, { auth: { token, session } });
    sockets.push(socket);
    return socket;
  }

  const transition = (id: string, action: string, member: Member, body?: object) =>
    cluster.b.api.as(member.token).post(`/api/v1/calls/${id}/${action}`, body);

  /** A call whose customer is connected to `a` and its agent, who has joined it, to `b`. */
  async function assignedCall() {
    const agent = await tenant.member('attendant', [department.id]);
    const { call_id, websocket_token } = await tenant.join(link as { token: string });
    const customer = await page(cluster.a, websocket_token, 'page-1');
    await transition(call_id, 'assign', agent);
    const staff = await page(cluster.b, agent.token, 'console-1');
    expect(await staff.send('join_call', { call_id })).toMatchObject({ ok: true });
    return { call_id, websocket_token, agent, customer, staff };
  }

  it('learn of each other', async () => {
    const { call_id, websocket_token, customer, staff } = await assignedCall();
    for (const socket of [customer, staff]) {
      await socket.waitFor('peer_ready', ({ session }) => session === 'console-1');
      await socket.waitFor('peer_ready', ({ session }) => session === 'page-1');
    }
    customer.close();
    const reloaded = await page(cluster.a, websocket_token, 'page-2');
    await staff.waitFor('peer_ready', ({ session }) => session === 'page-2');
    await reloaded.waitFor('peer_ready', ({ session }) => session === 'console-1');

    const next = await tenant.member('attendant', [department.id]);
    const taking = await page(cluster.a, next.token, 'console-2');
    const before = staff.all('peer_ready').length;
    await transition(call_id, 'assign', tenant.owner, { user_id: next.id });
    await taking.waitFor('peer_ready', ({ session }) => session === 'page-2');
    expect(await taking.send('join_call', { call_id })).toMatchObject({ ok: true });
    await reloaded.waitFor('peer_ready', ({ session }) => session === 'console-2');
    await staff.waitFor('call_assigned', ({ user_id }) => user_id === next.id);
    expect(staff.all('peer_ready')).toHaveLength(before);
  });

  it('are told whether their signals are delivered to the other instance', async () => {
    const { call_id, websocket_token, agent, customer, staff } = await assignedCall();
    for (const _ of oneTo(2)) expect(await customer.send('signal', CANDIDATE)).toEqual(DELIVERED);
    for (const _ of oneTo(2)) expect(await staff.send('signal', SDP_OFFER)).toEqual(DELIVERED);
    customer.close();
    await until(async () => (await staff.send('signal', SDP_OFFER)).data.delivered === false);
    const back = await page(cluster.a, websocket_token, 'page-1');
    await staff.waitFor('peer_ready', ({ participant }) => participant === 'customer');
    await until(async () => (await staff.send('signal', SDP_OFFER)).data.delivered === true);

    staff.close();
    await until(async () => (await back.send('signal', CANDIDATE)).data.delivered === false);
    expect(await back.send('renegotiate', {})).toEqual(UNDELIVERED);
    const again = await page(cluster.b, agent.token, 'console-1');
    await again.send('join_call', { call_id });
    await until(async () => (await back.send('renegotiate', {})).data?.delivered === true);
    await again.waitFor('renegotiate');
  });

  it('agree on the page that has the call when two take it over at the same moment', async () => {
    for (const _ of oneTo(10)) {
      const { call_id, websocket_token, customer, staff } = await assignedCall();
      const second = await page(cluster.b, websocket_token, 'page-2');
      const pages = [customer, second];
      for (const one of pages) expect(await one.send('signal', CANDIDATE)).toEqual(DELIVERED);
      const acks: Json[] = await Promise.all(pages.map((one) => one.send('take_over', {})));
      const versions = acks.map(({ data }) => data.version as number);
      const last = Math.max(...versions);
      const winner = versions.indexOf(last);
      const [holder, loser] = [pages[winner], pages[1 - winner]] as [TestSocket, TestSocket];
      const { rows } = await cluster.test.db.query('SELECT holder_session FROM calls WHERE id = $1', [
        call_id,
      ]);
      expect(rows).toEqual([{ holder_session: `page-${winner + 1}` }]);
      await loser.waitFor('taken_over', ({ version }) => version === last);
      const ready = await staff.waitFor(
        'peer_ready',
        ({ version, participant }) => version === last && participant === 'customer',
      );
      expect(ready.session).toBe(`page-${winner + 1}`);
      await until(async () => (await loser.send('signal', CANDIDATE)).error?.code === 'taken_over');
      expect(await holder.send('signal', CANDIDATE)).toEqual(DELIVERED);
      await flush(loser);
      const received = loser.all('signal').length;
      expect(await staff.send('signal', { description: { type: 'offer', sdp: 'last' } })).toEqual(DELIVERED);
      await holder.waitFor('signal', ({ description }) => description?.sdp === 'last');
      // A message of the other page that arrives late changes nothing.
      expect(holder.all('taken_over').filter(({ version }) => version >= last)).toEqual([]);
      await flush(holder, loser);
      expect(loser.all('signal')).toHaveLength(received);
      for (const socket of sockets.splice(0)) socket.close();
    }
  });

  it('remember which of them has the call when its instance dies', async () => {
    const third = await cluster.addInstance();
    const { websocket_token, customer, staff } = await assignedCall();
    const second = await page(third, websocket_token, 'page-2');
    expect(await second.send('take_over', {})).toMatchObject({ ok: true });
    await customer.waitFor('taken_over');
    await third.kill();
    const again = await page(cluster.b, websocket_token, 'page-1');
    await again.waitFor('taken_over', ({ session }) => session === 'page-2');
    expect(await again.send('signal', CANDIDATE)).toMatchObject(TAKEN_OVER);
    const back = await page(cluster.a, websocket_token, 'page-2');
    await back.waitFor('peer_ready', ({ participant }) => participant === 'agent');
    expect(await staff.send('signal', SDP_OFFER)).toEqual(DELIVERED);
    await back.waitFor('signal');
    await flush(customer, again);
    expect([...customer.all('signal'), ...again.all('signal')]).toEqual([]);
  });
});
