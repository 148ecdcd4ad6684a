import { PoolAdmission } from '../../src/platform/database/connections/pool-admission';
import { expectStatus, TestTenant } from '../support/builders';
import { whileConnectionsAreHeld } from '../support/database/held-connections';
import { oneTo } from '../support/database/rows';
import { TestSocket } from '../support/sockets/socket';
import { startTestApp, type TestApp } from '../support/test-app';
import { RedisServer } from './support/redis';

/** One connection of five is reserved for calls in progress. */
const UNRESERVED = 4;

describe('customers of two instances', () => {
  let redis: RedisServer;
  let first: TestApp;
  let second: TestApp;

  beforeAll(async () => {
    redis = await RedisServer.start();
    const env = { REDIS_URL: redis.url, DATABASE_POOL_SIZE: String(UNRESERVED + 1) };
    first = await startTestApp({ env, asInProduction: true });
    second = await startTestApp({ env, asInProduction: true, databaseUrl: first.databaseUrl });
  });

  afterAll(async () => {
    await second?.close();
    await first?.close();
    await redis?.stop();
  });

  it('use the reserved database connections while their calls are assigned or active, also on the other one', async () => {
    const tenant = await TestTenant.register(first);
    const { department, link } = await tenant.queue();
    const agent = await tenant.member('attendant', [department.id]);
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await TestSocket.connect(second.url, websocket_token);
    // Connecting is not finished with the first snapshot, but before the first event is acknowledged.
    await customer.send('snapshot');
    jest.replaceProperty(second.get(PoolAdmission), 'publicWaitMs', 1000);
    const snapshotWhileBusy = () =>
      whileConnectionsAreHeld(second, UNRESERVED, () => customer.send('snapshot'));
    expect(await snapshotWhileBusy()).toMatchObject({ ok: false, error: { code: 'unavailable' } });

    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/assign`), 200);
    await customer.waitFor('call_assigned');
    expect(await snapshotWhileBusy()).toMatchObject({ ok: true });

    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/complete`, {}), 200);
    await customer.waitFor('call_ended');
    expect(await snapshotWhileBusy()).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    customer.close();
  });

  it('who join one department at the same moment all get a place of their own', async () => {
    const tenant = await TestTenant.register(first);
    const { link } = await tenant.queue({ max_queue_size: 100 });
    const join = (app: TestApp) => app.api.post(`/api/v1/call/${link.token}/join`, { name: 'Ana' });
    jest.replaceProperty(second.get(PoolAdmission), 'publicWaitMs', 25_000);
    const answers = await Promise.all(oneTo(20).flatMap(() => [join(first), join(second)]));
    for (const answer of answers) expectStatus(answer, 200);
    const positions = answers.map(({ body }) => body.data.position);
    expect(positions.toSorted((one, other) => one - other)).toEqual(oneTo(40));
  });
});
