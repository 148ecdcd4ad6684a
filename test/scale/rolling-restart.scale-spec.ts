import { Api, type Json } from '../support/http/api';
import { scrapeMetrics } from '../support/http/scrape-metrics';
import { expectStatus, TestTenant } from '../support/builders';
import { haproxyWithoutTls } from '../support/peers/shipped-proxies';
import { TestSocket } from '../support/sockets/socket';
import { until } from '../support/until';
import { Cluster } from './support/cluster';
import { describeWithHaProxy, HaProxy } from './support/haproxy';
import { RequestLoad } from './support/request-load';

/** Longer than the shipped configuration of the proxy takes to notice that an instance is not ready. */
const DRAIN_SECONDS = '3';
const WAITING = 12;

describeWithHaProxy('two instances behind HAProxy that are replaced one after the other', () => {
  let cluster: Cluster;
  let proxy: HaProxy;
  let url: string;
  let tenant: TestTenant;
  const sockets: TestSocket[] = [];

  beforeAll(async () => {
    cluster = await Cluster.start({ DRAIN_SECONDS });
    const { a, b } = cluster;
    proxy = await HaProxy.start(haproxyWithoutTls([a.port, b.port]));
    url = `http://127.0.0.1:${proxy.port}`;
    tenant = await TestTenant.register({ ...cluster.test, api: new Api(url), url });
  });

  afterAll(async () => {
    for (const socket of sockets) socket.close();
    await proxy?.stop();
    await cluster?.stop();
  });

  const connect = async (token: string): Promise<TestSocket> => {
    const socket = TestSocket.open(url, token, { reconnection: true, reconnectionDelay: 200 });
    sockets.push(socket);
    await socket.waitFor('snapshot');
    return socket;
  };
  const positionOf = async ({ call_id }: Json): Promise<Json> =>
    (await new Api(url).get(`/api/v1/call/status/${call_id}`)).body.data;

  it('drop no request, and nobody loses their place or call', async () => {
    const { department, link } = await tenant.queue({ max_queue_size: 1000 });
    const agent = await tenant.member('attendant', [department.id]);
    const [staff, talking] = [await connect(agent.token), await tenant.join(link)];
    const customer = await connect(talking.websocket_token);
    for (const step of ['assign', 'start']) {
      expectStatus(await agent.api.post(`/api/v1/calls/${talking.call_id}/${step}`), 200);
    }
    expect(await staff.send('join_call', { call_id: talking.call_id })).toMatchObject({ ok: true });
    const waiting: Json[] = [];
    for (let count = 0; count < WAITING; count++) waiting.push(await tenant.join(link));
    const clients = await Promise.all(waiting.map(({ websocket_token }) => connect(websocket_token)));
    const load = new RequestLoad([
      () => new Api(url).get(`/api/v1/call/${link.token}/validate`),
      () => new Api(url).get(`/api/v1/call/status/${waiting[0].call_id}`),
      () => agent.api.get('/api/v1/calls?status=queued'),
      () => new Api(url).post(`/api/v1/call/${link.token}/join`, { name: 'Larry Later' }),
    ]);

    for (const name of ['a', 'b'] as const) {
      await cluster.replace(name);
      // As an orchestrator does, which waits until the proxy knows that the new one is ready, too: it sends requests there.
      await until(async () => /_count\{[^}]*\/validate"/.test((await scrapeMetrics(cluster[name].url)).text));
      await load.waitForMore(100);
    }

    const { failures, count } = await load.stop();
    expect(failures).toEqual([]);
    expect(count).toBeGreaterThan(200);
    for (const client of [staff, customer, ...clients]) {
      await until(() => client.io.connected && client.all('snapshot').length > 1);
    }
    for (const [index, entry] of waiting.entries()) {
      expect(await positionOf(entry)).toMatchObject({ status: 'queued', position: index + 1 });
    }
    const call = (await agent.api.get(`/api/v1/calls/${talking.call_id}`)).body.data;
    expect(call.status).toBe('active');
  });
});
