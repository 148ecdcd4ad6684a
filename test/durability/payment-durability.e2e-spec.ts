import { Client } from 'pg';
import { expectStatus } from '../support/builders';
import { ensureBuilt } from '../support/service/built-service';
import { DataDir } from '../support/service/data-dir';
import { cloneDatabase, type TestConnection } from '../support/database/database';
import {
  waitUntilApplied,
  deliver,
  expectAccepted,
  GATEWAY_ENV,
  notification,
  sendNotification,
  countPendingJobs,
  insertPendingTenants,
  subscriptionState,
  startGatewayApp,
  storedEvents,
} from '../support/peers/payment-gateway';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** Makes the database reject matching writes until `allowWrites`. */
async function rejectWrites(
  db: TestConnection,
  table: string,
  operation: string,
  condition: string,
): Promise<void> {
  await db.query(`
    CREATE FUNCTION reject_writes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF ${condition} THEN RAISE EXCEPTION 'rejected by the test'; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER reject_writes BEFORE ${operation} ON ${table} FOR EACH ROW EXECUTE FUNCTION reject_writes();
  `);
}

const allowWrites = (db: TestConnection) => db.query('DROP FUNCTION IF EXISTS reject_writes CASCADE');

describe('the payment webhook with database errors', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startGatewayApp();
  });

  afterEach(() => allowWrites(test.db));

  afterAll(() => test.close());

  const retryCount = async () => {
    const { rows } = await test.db.query(
      `SELECT max(retry_count)::int AS retries FROM pgboss.job WHERE name = 'apply-payments'`,
    );
    return rows[0].retries;
  };

  it('answers with 200 to a notification that cannot be applied, applies others and retries it', async () => {
    const [broken = '', sound = ''] = await insertPendingTenants(test, 2);
    await rejectWrites(test.db, 'subscriptions', 'UPDATE', `NEW.tenant_id = '${broken}'`);
    const { id } = await sendNotification(test, broken, 'PAYMENT_CONFIRMED');
    await sendNotification(test, sound, 'PAYMENT_CONFIRMED');

    await until(async () => (await retryCount()) > 0);
    expect(await subscriptionState(test, broken)).toMatchObject({
      status: 'pending',
      current_period_start: null,
    });
    expect(await storedEvents(test, id)).toHaveLength(1);
    await until(async () => (await subscriptionState(test, sound)).status === 'active');

    await allowWrites(test.db);
    await until(async () => (await subscriptionState(test, broken)).status === 'active');
    await waitUntilApplied(test);
  });

  it('does not store a notification whose job cannot be created, so that the gateway sends it again', async () => {
    const [tenant = ''] = await insertPendingTenants(test, 1);
    const body = notification(tenant, 'PAYMENT_CONFIRMED');
    await rejectWrites(test.db, 'pgboss.job', 'INSERT', `NEW.name = 'apply-payments'`);
    expectStatus(await deliver(test, body), 500);
    expect(await storedEvents(test, body.id)).toEqual([]);
    await allowWrites(test.db);
    expectAccepted(await deliver(test, body));
    await until(async () => (await subscriptionState(test, tenant)).status === 'active');
  });

  it('answers without waiting for a lock on the tenant', async () => {
    const [tenant = ''] = await insertPendingTenants(test, 1);
    await test.db.query('BEGIN');
    try {
      await test.db.query('SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE', [tenant]);
      // It would fail if it waited.
      await sendNotification(test, tenant, 'PAYMENT_CONFIRMED');
    } finally {
      await test.db.query('COMMIT');
    }
    await until(async () => (await subscriptionState(test, tenant)).status === 'active');
  });
});

describe('a service that is killed right after its answer', () => {
  const dataDir = new DataDir();
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let db: Client;

  beforeAll(async () => {
    await ensureBuilt();
    database = await cloneDatabase();
    db = new Client({ connectionString: database.url });
    db.on('error', () => {});
    await db.connect();
  }, 120_000);

  afterAll(async () => {
    await stopServices();
    await db.end();
    await database.drop();
    dataDir.remove();
  });

  it('leaves the notification and its job to the next process', async () => {
    const variables = { ...GATEWAY_ENV, DATABASE_URL: database.url, DATA_DIR: dataDir.path };
    const service = await ServiceProcess.start(variables);
    const tenants = await insertPendingTenants({ db }, 5);
    // Prevents every job from starting before the kill.
    await rejectWrites(db, 'pgboss.job', 'UPDATE', `NEW.name = 'apply-payments' AND NEW.state = 'active'`);
    const bodies = tenants.map((tenant) => notification(tenant, 'PAYMENT_CONFIRMED'));
    for (const body of bodies) expectAccepted(await deliver(service, body));
    await service.kill();

    for (const body of bodies) expect(await storedEvents({ db }, body.id)).toHaveLength(1);
    expect(await countPendingJobs({ db })).toBe(5);
    for (const tenant of tenants) {
      expect(await subscriptionState({ db }, tenant)).toMatchObject({
        status: 'pending',
        current_period_start: null,
      });
    }

    await allowWrites(db);
    const next = await startTestApp({ databaseUrl: database.url });
    try {
      await waitUntilApplied({ db });
      for (const tenant of tenants)
        expect(await subscriptionState({ db }, tenant)).toMatchObject({ status: 'active' });
    } finally {
      await next.close();
    }
  });
});
