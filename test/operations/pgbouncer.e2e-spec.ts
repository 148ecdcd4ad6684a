import { randomBytes } from 'node:crypto';
import { prepareDatabase } from '../../src/platform/database/migration/prepare-database';
import { asSuperuser, connectionPool, databaseUrl } from '../support/database/database';
import { documentedScript } from '../support/documented-script';
import { describeWithPgBouncer, PgBouncer } from '../support/peers/pgbouncer';
import { ensureBuilt } from '../support/service/built-service';
import { DRIVE_CALL_ENV, driveCall } from '../support/service/drive-call';
import { ServiceProcess, stopServices } from '../support/service/service-process';

jest.setTimeout(60_000);

const NAME = `pooled_${randomBytes(4).toString('hex')}`;
const OWNER = `${NAME}_owner`;
const SERVICE = `${NAME}_service`;
const OWNER_PASSWORD = 'a-long-random-password';
const SERVICE_PASSWORD = 'another-long-random-password';
const SETTINGS = documentedScript('database.md', 'PgBouncer', 0, 'ini');
const SQL = documentedScript('database.md', 'PgBouncer', 0, 'sql').replaceAll('video_queue', NAME);

const administrate = (...statements: string[]) =>
  asSuperuser(databaseUrl('postgres'), async (client) => {
    for (const statement of statements) await client.query(statement);
  });

function urlOf(login: string, password: string): string {
  const url = new URL(databaseUrl(NAME));
  url.username = login;
  url.password = password;
  return url.toString();
}

describeWithPgBouncer('the service behind PgBouncer in session mode, set up as documented', () => {
  let bouncer: PgBouncer | undefined;

  beforeAll(async () => {
    await ensureBuilt();
    await administrate(
      `CREATE ROLE ${OWNER} LOGIN PASSWORD '${OWNER_PASSWORD}'`,
      `CREATE ROLE ${SERVICE} NOLOGIN`,
      `GRANT ${SERVICE} TO ${OWNER}`,
      `CREATE DATABASE ${NAME} OWNER ${OWNER}`,
      SQL,
    );
    await prepareDatabase(urlOf(OWNER, OWNER_PASSWORD));
    const passwords = { [OWNER]: OWNER_PASSWORD, [SERVICE]: SERVICE_PASSWORD };
    bouncer = await PgBouncer.start(databaseUrl(NAME), passwords, SETTINGS);
  }, 120_000);

  afterAll(async () => {
    await stopServices();
    await bouncer?.stop();
    await administrate(`DROP DATABASE ${NAME} WITH (FORCE)`, `DROP ROLE ${OWNER}, ${SERVICE}`);
  });

  const spawn = (login: string, password: string) =>
    ServiceProcess.spawn({
      DATABASE_URL: bouncer?.url(urlOf(login, password)) ?? '',
      DATABASE_ROLE: '',
      DATA_DIR: process.env.TEST_DATA_DIR ?? '',
      MIGRATE_ON_START: 'false',
      SEED_DEMO: 'false',
      ...DRIVE_CALL_ENV,
    });

  it('serves a company from its signup to a rating, also with connections that another process has used', async () => {
    const db = connectionPool(databaseUrl(NAME));
    for (const _ of ['first', 'second']) {
      const service = await spawn(SERVICE, SERVICE_PASSWORD);
      await service.waitUntilUp();
      await driveCall({ staffAt: service, customerAt: service, db });
      await service.stop();
    }
    await db.end();
  });

  it('refuses to start with a login that would need the startup option of the role', async () => {
    const service = await spawn(OWNER, OWNER_PASSWORD);
    expect((await service.ended).code).toBe(1);
    expect(service.output).toContain(
      `Connections to the database use the role ${OWNER} instead of ${SERVICE}.`,
    );
  });
});
