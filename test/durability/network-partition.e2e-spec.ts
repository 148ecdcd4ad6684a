import { setTimeout as delay } from 'node:timers/promises';
import { CallSweeper } from '../../src/calls/machine/call-sweeper';
import { Database } from '../../src/platform/database/database';
import { TestTenant } from '../support/builders';
import { cloneDatabase } from '../support/database/database';
import { TcpProxy } from '../support/peers/tcp-proxy';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** @returns how the work ended, or that it has not ended after 30 s */
function outcomeOf(work: Promise<unknown>): Promise<string> {
  const outcome = work.then(
    () => 'done',
    () => 'failed',
  );
  return Promise.race([outcome, delay(30_000, 'still waiting', { ref: false })]);
}

/** The network between the service and its database drops all packets: no connection is closed. */
describe('a silent partition from the database', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let proxy: TcpProxy;
  let test: TestApp;

  beforeAll(async () => {
    database = await cloneDatabase();
    const url = new URL(database.url);
    proxy = await TcpProxy.start(Number(url.port));
    url.host = `127.0.0.1:${proxy.port}`;
    test = await startTestApp({ databaseUrl: url.toString(), env: { DATABASE_POOL_SIZE: '2' } });
  });

  afterAll(async () => {
    await test.close();
    await proxy.stop();
    await database.drop();
  });

  it('holds no request or connection for longer than the query timeout', async () => {
    const tenant = await TestTenant.register(test);
    const read = async () => (await tenant.owner.api.get('/api/v1/departments')).status;
    expect(await read()).toBe(200);
    proxy.freeze();
    const begin = performance.now();
    expect(await Promise.all([read(), read(), read()])).toEqual([503, 503, 503]);
    expect((performance.now() - begin) / 1000).toBeLessThan(60);
    expect((await test.api.get('/readyz')).status).toBe(503);
    // Requests use new connections, although the frozen ones are still open.
    proxy.thaw();
    await until(async () => (await read()) === 200);
    await until(async () => (await test.api.get('/readyz')).status === 200);
    // The application waits for its connections when it closes.
    proxy.reset();
  }, 120_000);

  it('holds no transaction or recurring task for longer', async () => {
    const isFrozen = Promise.withResolvers<void>();
    const hasBegun = Promise.withResolvers<void>();
    const transaction = test.get(Database).system(async (tx) => {
      hasBegun.resolve();
      await isFrozen.promise;
      await tx.query('SELECT 1');
    });
    await hasBegun.promise;
    proxy.freeze();
    isFrozen.resolve();
    const sweep = test.get(CallSweeper).sweep();
    expect(await Promise.all([outcomeOf(transaction), outcomeOf(sweep)])).toEqual(['failed', 'failed']);
    proxy.thaw();
    await until(async () => (await test.api.get('/readyz')).status === 200);
    const sweepAgain = () => test.get(CallSweeper).sweep();
    await until(() =>
      sweepAgain().then(
        () => true,
        () => false,
      ),
    );
    proxy.reset();
  }, 120_000);
});
