import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { prepareDatabase } from '../../src/operator/migration/prepare-database';
import { asSuperuser, databaseUrl } from '../support/database/database';
import { documentedScript } from '../support/documented-script';
import { describeWithPgBouncer, PgBouncer } from '../support/peers/pgbouncer';
import { ensureBuilt } from '../support/service/built-service';
import { DRIVE_CALL_ENV, driveCall } from '../support/service/drive-call';
import { ServiceProcess, stopServices } from '../support/service/service-process';

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

const startBouncer = (settings: string) =>
  PgBouncer.start(databaseUrl(NAME), { [OWNER]: OWNER_PASSWORD, [SERVICE]: SERVICE_PASSWORD }, settings);

/** Starts another PgBouncer for the time of `work`. */
async function withBouncer(settings: string, work: (other: PgBouncer) => Promise<void>): Promise<void> {
  const other = await startBouncer(settings);
  try {
    await work(other);
  } finally {
    await other.stop();
  }
}

describeWithPgBouncer('the service behind PgBouncer, set up as documented', () => {
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
    bouncer = await startBouncer(SETTINGS);
  });

  afterAll(async () => {
    await stopServices();
    await bouncer?.stop();
    await administrate(`DROP DATABASE ${NAME} WITH (FORCE)`, `DROP ROLE ${OWNER}, ${SERVICE}`);
  });

  const spawn = (login: string, password: string, through = bouncer) =>
    ServiceProcess.spawn({
      DATABASE_URL: through?.url(urlOf(login, password)) ?? '',
      DATABASE_ROLE: '',
      DATA_DIR: process.env.TEST_DATA_DIR ?? '',
      MIGRATE_ON_START: 'false',
      SEED_DEMO: 'false',
      ...DRIVE_CALL_ENV,
    });

  it('serves a company from its signup to a rating, also with connections that another process has used', async () => {
    for (const _ of ['first', 'second']) {
      const service = await spawn(SERVICE, SERVICE_PASSWORD);
      await service.waitUntilUp();
      await driveCall({ staffAt: service, customerAt: service });
      await service.stop();
    }
  });

  it('refuses to start with a login that would need the startup option of the role', async () => {
    const service = await spawn(OWNER, OWNER_PASSWORD);
    expect((await service.ended).code).toBe(1);
    expect(service.output).toContain(
      `Connections to the database use the role ${OWNER} instead of ${SERVICE}.`,
    );
  });

  const inMode = (mode: string) => SETTINGS.replace('pool_mode = session', `pool_mode = ${mode}`);

  const failures: [what: string, settings: string, message: string][] = [
    [
      'does not drop the startup options',
      SETTINGS.replace(/^ *ignore_startup_parameters.*$/m, ''),
      'unsupported startup parameter: options',
    ],
    // What the service meets first depends on the version.
    ['lends connections for a statement', inMode('statement'), ''],
  ];

  it.each(failures)('does not start if PgBouncer %s', (_what, settings, message) =>
    withBouncer(settings, async (other) => {
      const service = await spawn(SERVICE, SERVICE_PASSWORD, other);
      expect((await service.ended).code).toBe(1);
      expect(service.output).toContain(message);
    }),
  );

  it('cannot have a transaction if PgBouncer lends connections for a statement', () =>
    withBouncer(inMode('statement'), async (other) => {
      const client = new Client({ connectionString: other.url(urlOf(SERVICE, SERVICE_PASSWORD)) });
      client.on('error', () => {});
      await client.connect();
      await expect(client.query('BEGIN')).rejects.toThrow('not allowed in statement pooling mode');
      await client.end();
    }));
});
