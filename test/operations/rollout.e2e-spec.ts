import { randomBytes } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import { FORMER_ROLE } from '../../src/operator/migration/role-name';
import { RedisServer } from '../scale/support/redis';
import { expectStatus, TestTenant } from '../support/builders';
import { asSuperuser, databaseUrl } from '../support/database/database';
import { UncheckedApi } from '../support/http/api';
import { ensureBuilt } from '../support/service/built-service';
import { runCli } from '../support/service/cli';
import { DRIVE_CALL_ENV, driveCall } from '../support/service/drive-call';
import { buildPreviousRelease, describeWithPreviousRelease } from '../support/service/previous-release';
import { ServiceProcess, stopServices } from '../support/service/service-process';

const NAME = `rollout_${randomBytes(4).toString('hex')}`;

/** The previous release need not answer as openapi.json says today. */
const former = ({ url }: ServiceProcess) => ({ url, api: new UncheckedApi(url) });

/** Writes a job that the instances do not know, as one of a newer release is. @returns how to read its state */
async function writeUnknownJob(): Promise<() => Promise<string | undefined>> {
  const name = 'known-to-a-newer-release';
  const boss = new PgBoss({
    connectionString: databaseUrl(NAME),
    migrate: false,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue(name);
  await boss.send(name, {});
  await boss.stop({ graceful: false });
  return () =>
    asSuperuser(databaseUrl(NAME), async (client) => {
      const { rows } = await client.query('SELECT state FROM pgboss.job WHERE name = $1', [name]);
      return rows[0]?.state;
    });
}

/** Erases a customer, which the previous release does without a receipt. @returns how an instance shows the erasure */
async function eraseCustomer(at: ServiceProcess) {
  const { owner } = await TestTenant.signUp(at, 'free', async () => {});
  const customer = await owner.api.post('/api/v1/customers', { name: 'Caio' });
  expectStatus(customer, 201);
  const erased = await owner.api.post(`/api/v1/customers/${customer.body.data.id}/erase`);
  expectStatus(erased, 200);
  return async ({ api }: ServiceProcess) => {
    const answer = await api.as(owner.token).get(`/api/v1/erasures/${erased.body.data.erasure_id}`);
    expectStatus(answer, 200);
    return answer.body.data;
  };
}

describeWithPreviousRelease('a rollout of this release over the previous one', () => {
  let redis: RedisServer;
  let root: string;

  beforeAll(async () => {
    await ensureBuilt();
    root = await buildPreviousRelease();
    await asSuperuser(databaseUrl('postgres'), (client) => client.query(`CREATE DATABASE ${NAME}`));
    redis = await RedisServer.start();
  }, 600_000);

  afterAll(async () => {
    await stopServices();
    await redis.stop();
    await asSuperuser(databaseUrl('postgres'), async (client) => {
      await client.query(`DROP DATABASE ${NAME} WITH (FORCE)`);
      await client.query(`DROP ROLE IF EXISTS ${NAME}_service`);
    });
  });

  it('serves calls meanwhile and with instances of both, lets those of the previous one restart, and can be rolled back', async () => {
    const variables = {
      DATABASE_URL: databaseUrl(NAME),
      DATABASE_ROLE: '',
      REDIS_URL: redis.url,
      DATA_DIR: process.env.TEST_DATA_DIR ?? '',
      SEED_DEMO: 'false',
      // For the companies and customers of all calls.
      PUBLIC_RATE_LIMIT: '1000',
      AUTH_RATE_LIMIT: '1000',
      AUTH_ADDRESS_RATE_LIMIT: '1000',
      ...DRIVE_CALL_ENV,
    };
    const startFormer = () => ServiceProcess.start(variables, { root });
    let previous = await startFormer();
    await driveCall({ staffAt: former(previous), customerAt: former(previous) });
    const migration = { isRunning: true };
    const migrating = runCli(['migrate'], variables).finally(() => (migration.isRunning = false));
    // Each step of a call that fails meanwhile fails the test.
    do await driveCall({ staffAt: former(previous), customerAt: former(previous) });
    while (migration.isRunning);
    const migrated = await migrating;
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    expect(migrated.stdout).toContain('The database is up to date.');

    const startCurrent = () => ServiceProcess.start({ ...variables, MIGRATE_ON_START: 'false' });
    let current = await startCurrent();
    await driveCall({ staffAt: former(previous), customerAt: current });
    await driveCall({ staffAt: current, customerAt: former(previous) });
    const roles = await asSuperuser(databaseUrl(NAME), (client) =>
      client.query(
        `SELECT has_table_privilege($1, 'calls', 'UPDATE') AS former, has_table_privilege($2, 'calls', 'UPDATE') AS own`,
        [FORMER_ROLE, `${NAME}_service`],
      ),
    );
    expect(roles.rows).toEqual([{ former: true, own: true }]);

    await previous.stop();
    previous = await startFormer();
    await driveCall({ staffAt: former(previous), customerAt: current });

    const erasureAt = await eraseCustomer(current);
    const erasure = await erasureAt(current);
    expect(erasure).toMatchObject({ state: 'complete', receipt: expect.any(String) });
    const jobState = await writeUnknownJob();

    // Back to the previous release, without a change of the database.
    await current.stop();
    await driveCall({ staffAt: former(previous), customerAt: former(previous) });
    expect(await runCli(['migrate', '--check'], variables)).toMatchObject({
      code: 0,
      stdout: 'The database is up to date.\n',
    });

    // And forward again.
    current = await startCurrent();
    await driveCall({ staffAt: current, customerAt: former(previous) });
    expect(await erasureAt(current)).toEqual(erasure);
    expect(await jobState()).toBe('created');
  });
});
