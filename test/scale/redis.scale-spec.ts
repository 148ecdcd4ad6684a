import { TestTenant } from '../support/builders';
import type { Answer } from '../support/http/api';
import { isAlive } from '../support/service/data-dir';
import { TestSocket } from '../support/sockets/socket';
import { until } from '../support/until';
import { Cluster } from './support/cluster';
import { redisUp } from './support/redis-up';

describe('rate limits', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await Cluster.start({ PUBLIC_RATE_LIMIT: '10', TRUST_PROXY: 'loopback' });
  });

  afterAll(() => cluster?.stop());

  it('are shared by the instances, and counted per instance while Redis is down', async () => {
    const { a, b, redis } = cluster;
    const validate = (address: string, { api }: typeof a) =>
      api.get('/api/v1/call/no-such-link/validate', { headers: { 'x-forwarded-for': address } });
    const accepted = Array.from({ length: 10 }, () => 404);
    let addresses = 0;
    const newAddress = () => `2001:db8:${(++addresses).toString(16)}::1`;
    let statuses = '';
    const refused = await until(
      async () => {
        // Another one each time: what Redis does not answer within half a second, an instance counts by itself.
        const address = newAddress();
        const answers: Answer[] = [];
        for (let request = 0; request < 12; request++)
          answers.push(await validate(address, request % 2 ? b : a));
        statuses = answers.map(({ status }) => status).join();
        return statuses === [...accepted, 429, 429].join() && answers.at(-1);
      },
      () => `the limit is not shared: ${statuses}`,
    );
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);

    await redis.stop();

    const address = newAddress();
    for (const instance of [a, b]) {
      const alone: number[] = [];
      for (let request = 0; request < 11; request++) alone.push((await validate(address, instance)).status);
      expect(alone).toEqual([...accepted, 429]);
    }
  });
});

/** Redis counts a request, and publishes its events: each may take 0.5 or 1.5 s before it is given up. */
const MAX_FROZEN_REQUEST_MS = 10_000;

describe('while Redis is down', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await Cluster.start();
  });

  afterAll(() => cluster?.stop());

  it('the instances stay ready and work separately, and together when it is back', async () => {
    const { a, b, redis } = cluster;
    const tenant = await TestTenant.register(cluster.test);
    const { department, link } = await tenant.queue();
    const agent = await tenant.member('attendant', [department.id]);
    const staff = await TestSocket.connect(b.url, agent.token);
    const near = await tenant.join(link);
    const customer = await TestSocket.connect(b.url, near.websocket_token);
    for (const { url } of [a, b]) expect(await redisUp(url)).toBe(1);

    await redis.stop();

    for (const { api, url } of [a, b]) {
      await until(async () => (await redisUp(url)) === 0);
      expect((await api.get('/readyz')).status).toBe(200);
    }
    // Members can be added without Redis, and clients of the same instance are notified.
    const members = `/api/v1/departments/${department.id}/users`;
    const helper = await tenant.member('attendant');
    expect((await tenant.owner.api.post(members, { user_id: helper.id })).status).toBe(201);
    expect((await agent.api.post(`/api/v1/calls/${near.call_id}/assign`)).status).toBe(200);
    await customer.waitFor('call_assigned');
    await staff.waitFor('call_assigned');
    for (const { pid } of [a, b]) expect(isAlive(pid)).toBe(true);

    await redis.restart();

    for (const { url } of [a, b]) await until(async () => (await redisUp(url)) === 1);
    await redis.waitForSubscribers(2);
    const far = await tenant.join(link);
    const distant = await TestSocket.connect(a.url, far.websocket_token);
    await until(async () => {
      const { body } = await b.api.as(agent.token).post(`/api/v1/calls/${far.call_id}/assign`);
      return body.data?.status === 'assigned';
    });
    await distant.waitFor('call_assigned');
    for (const socket of [staff, customer, distant]) socket.close();
  });

  it('the same when it is frozen: requests do not wait for it', async () => {
    const { a, b, redis } = cluster;
    const tenant = await TestTenant.register(cluster.test);
    const { department, link } = await tenant.queue();
    const agent = await tenant.member('attendant', [department.id]);
    const entry = await tenant.join(link);
    const customer = await TestSocket.connect(b.url, entry.websocket_token);

    redis.freeze();

    const startedAt = Date.now();
    expect((await agent.api.post(`/api/v1/calls/${entry.call_id}/assign`)).status).toBe(200);
    await customer.waitFor('call_assigned');
    expect(Date.now() - startedAt).toBeLessThan(MAX_FROZEN_REQUEST_MS);
    for (const { api, url } of [a, b]) {
      await until(async () => (await redisUp(url)) === 0);
      expect((await api.get('/readyz')).status).toBe(200);
    }
    // Otherwise it would send all that was published meanwhile when it goes on.
    const silent = 'Redis is unavailable: Socket timeout';
    await until(() => [a, b].every(({ output }) => output.includes(silent)));

    redis.thaw();

    for (const { url } of [a, b]) await until(async () => (await redisUp(url)) === 1);
    await redis.waitForSubscribers(2);
    const distant = await TestSocket.connect(a.url, entry.websocket_token);
    await until(async () => {
      const started = await b.api.as(agent.token).post(`/api/v1/calls/${entry.call_id}/start`);
      return [200, 422].includes(started.status);
    });
    await distant.waitFor('call_started');
    for (const socket of [customer, distant]) socket.close();
  });
});
