import { expectStatus, TestTenant } from '../support/builders';
import { whileConnectionsAreHeld } from '../support/database/held-connections';
import { TestSocket } from '../support/sockets/socket';
import { startTestApp, type TestApp } from '../support/test-app';
import { RedisServer } from './support/redis';

/** One connection of five is reserved for calls in progress. */
const UNRESERVED = 4;

describe('a customer whose call is assigned on another instance', () => {
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

  it('uses the reserved database connections until the call has ended', async () => {
    const tenant = await TestTenant.register(first);
    const { department, link } = await tenant.queue();
    const agent = await tenant.member('attendant', [department.id]);
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await TestSocket.connect(second.url, websocket_token);
    // Connecting is not finished with the first snapshot, but before the first event is acknowledged.
    await customer.send('snapshot');
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
});
