import { randomBytes } from 'node:crypto';
import { FORMER_ROLE } from '../../src/platform/database/migration/role-name';
import { RedisServer } from '../scale/support/redis';
import { asSuperuser, connectionPool, databaseUrl, type TestConnection } from '../support/database/database';
import { UncheckedApi } from '../support/http/api';
import { ensureBuilt } from '../support/service/built-service';
import { runCli } from '../support/service/cli';
import { DRIVE_CALL_ENV, driveCall } from '../support/service/drive-call';
import { buildPreviousRelease, describeWithPreviousRelease } from '../support/service/previous-release';
import { ServiceProcess, stopServices } from '../support/service/service-process';

jest.setTimeout(120_000);

const NAME = `rollout_${randomBytes(4).toString('hex')}`;

/** The previous release need not answer as openapi.json says today. */
const former = ({ url }: ServiceProcess) => ({ url, api: new UncheckedApi(url) });

describeWithPreviousRelease('a rollout of this release over the previous one', () => {
  let redis: RedisServer;
  let db: TestConnection;
  let root: string;

  beforeAll(async () => {
    await ensureBuilt();
    root = await buildPreviousRelease();
    await asSuperuser(databaseUrl('postgres'), (client) => client.query(`CREATE DATABASE ${NAME}`));
    db = connectionPool(databaseUrl(NAME));
    redis = await RedisServer.start();
  }, 600_000);

  afterAll(async () => {
    await stopServices();
    await redis.stop();
    await db.end();
    await asSuperuser(databaseUrl('postgres'), async (client) => {
      await client.query(`DROP DATABASE ${NAME} WITH (FORCE)`);
      await client.query(`DROP ROLE IF EXISTS ${NAME}_service`);
    });
  });

  it('serves calls with instances of both, lets those of the previous one restart, and can be rolled back', async () => {
    const variables = {
      DATABASE_URL: databaseUrl(NAME),
      DATABASE_ROLE: '',
      REDIS_URL: redis.url,
      DATA_DIR: process.env.TEST_DATA_DIR ?? '',
      SEED_DEMO: 'false',
      ...DRIVE_CALL_ENV,
    };
    const startFormer = () => ServiceProcess.start(variables, { root });
    let previous = await startFormer();
    const migrated = await runCli(['migrate'], variables);
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    expect(migrated.stdout).toContain('The database is up to date.');

    const current = await ServiceProcess.start({ ...variables, MIGRATE_ON_START: 'false' });
    await driveCall({ staffAt: former(previous), customerAt: current, db });
    await driveCall({ staffAt: current, customerAt: former(previous), db });
    const roles = await asSuperuser(databaseUrl(NAME), (client) =>
      client.query(
        `SELECT has_table_privilege($1, 'calls', 'UPDATE') AS former, has_table_privilege($2, 'calls', 'UPDATE') AS own`,
        [FORMER_ROLE, `${NAME}_service`],
      ),
    );
    expect(roles.rows).toEqual([{ former: true, own: true }]);

    await previous.stop();
    previous = await startFormer();
    await driveCall({ staffAt: former(previous), customerAt: current, db });

    // Back to the previous release, without a change of the database.
    await current.stop();
    await driveCall({ staffAt: former(previous), customerAt: former(previous), db });
    const back = await startFormer();
    await driveCall({ staffAt: former(back), customerAt: former(previous), db });
  });
});
