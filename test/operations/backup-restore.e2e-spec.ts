import { randomBytes } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDatabase } from '../../src/operator/migration/prepare-database';
import { expectStatus, PASSWORD, type TestTenant } from '../support/builders';
import { closeSockets, createFullTenant, GATEWAY_TOKEN } from '../support/authorisation/tenant-data';
import { DebianPostgres, describeWithDebianPostgres } from '../support/database/debian-postgres';
import { asSuperuser } from '../support/database/database';
import { relationDigests } from '../support/database/relation-digests';
import { SERVICE_ROLE } from '../support/database/service-role';
import { documentedScript } from '../support/documented-script';
import { ensureBuilt } from '../support/service/built-service';
import { runCli } from '../support/service/cli';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp } from '../support/test-app';
import { until } from '../support/until';

/** A login without any attribute, as docs/database.md recommends. It owns the database and may become the role. */
const OWNER = 'calls_owner';
const DATABASE = 'video_queue';

const DUMP = documentedScript('backups.md', 'Dump');
const CHECK = documentedScript('backups.md', 'Dump', 1);
const RESTORE = documentedScript('backups.md', 'Restore');

/** Relations that may have no rows. */
const EMPTY = [
  // What pg-boss does not do here, or has done.
  /^pgboss\.(bam|job_dependency|queue_stats(_\d+)?|subscription|warning)$/,
  // Nobody is online any more.
  /^public\.connections$/,
  // Their deliveries have been made.
  /^public\.webhook_events$/,
];

describeWithDebianPostgres('a backup by the documented commands', () => {
  const storage = new StorageFolder();
  const variables = Object.fromEntries(
    ['JWT_SECRET', 'ENCRYPTION_KEY', 'TURN_SECRET'].map((name) => [name, randomBytes(32).toString('hex')]),
  );
  let postgres: DebianPostgres;
  let tenant: TestTenant;
  let digests: Record<string, string>;

  const administrate = async (...statements: string[]) =>
    asSuperuser(postgres.url('postgres'), async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  const digest = () => asSuperuser(postgres.url(DATABASE), relationDigests);
  const script = (text: string) => postgres.script(text, { PGUSER: OWNER, PGDATABASE: DATABASE });
  const cli = (...args: string[]) =>
    runCli(args, { DATABASE_URL: postgres.url(DATABASE, OWNER), ...variables });

  beforeAll(async () => {
    await ensureBuilt();
    postgres = await DebianPostgres.start();
    await administrate(
      `CREATE ROLE ${OWNER} LOGIN`,
      `CREATE ROLE ${SERVICE_ROLE} NOLOGIN`,
      `GRANT ${SERVICE_ROLE} TO ${OWNER}`,
      `CREATE DATABASE ${DATABASE} OWNER ${OWNER}`,
    );
    await prepareDatabase(postgres.url(DATABASE, OWNER), { role: SERVICE_ROLE });
    const env = { ...variables, ...storage.env, ASAAS_WEBHOOK_TOKEN: GATEWAY_TOKEN };
    const test = await startTestApp({ databaseUrl: postgres.url(DATABASE), env });
    tenant = await asSuperuser(postgres.url(DATABASE), (client) => createFullTenant(test, client));
    // Signing the receipt of an export creates the key.
    const [customer] = (await tenant.owner.api.get('/api/v1/customers')).body.data;
    expectStatus(await tenant.owner.api.get(`/api/v1/customers/${customer.id}/export`), 200);
    // A job, which has ended when the application stops.
    const credentials = { email: tenant.owner.email, tenant: tenant.slug };
    expectStatus(await test.api.post('/api/auth/forgot-password', credentials), 200);
    await test.db.query(`INSERT INTO backfills (name) VALUES ('of-the-spec')`);
    closeSockets();
    await test.close();
    // When nobody is online any more, so that the restore computes the same from the periods of presence.
    await asSuperuser(postgres.url(DATABASE, OWNER), async (client) => {
      await client.query(`SET app.system = 'on'`);
      await client.query('SELECT refresh_analytics()');
    });
    digests = await digest();
  });

  afterAll(async () => {
    await stopServices();
    await postgres.remove();
    storage.remove();
  });

  it('is made of a database that has rows in every table', () => {
    const empty = Object.keys(digests).filter((name) => digests[name] === '0 rows');
    expect(empty.filter((name) => !EMPTY.some((pattern) => pattern.test(name)))).toEqual([]);
  });

  it('contains the rows of all companies, and without the scope it is recognised as empty', async () => {
    const plain = await script('pg_dump --format=custom --file=plain.dump');
    expect(plain.code).not.toBe(0);
    expect(plain.stderr).toContain('row-level security');
    const unscoped = await script(DUMP.replace(/^PGOPTIONS='[^']*'/, ''));
    expect(unscoped.code).toBe(0);
    expect(await script(CHECK)).toMatchObject({ code: 1, stderr: 'The dump has no rows.\n' });

    expect(await script(DUMP)).toMatchObject({ code: 0, stderr: '' });
    expect(await script(CHECK)).toMatchObject({ code: 0, stderr: '' });
  });

  it('is restored with every row of every table, and the service starts on it', async () => {
    expect(await script(DUMP)).toMatchObject({ code: 0, stderr: '' });
    const copy = join(postgres.folder, 'files');
    cpSync(storage.path, copy, { recursive: true });
    const files = storage.files();
    expect(files.length).toBeGreaterThan(1);
    await administrate(
      `DROP DATABASE ${DATABASE} WITH (FORCE)`,
      `CREATE DATABASE ${DATABASE} OWNER ${OWNER}`,
    );
    rmSync(storage.path, { recursive: true });

    expect(await script(RESTORE)).toMatchObject({ code: 0, stderr: '' });
    cpSync(copy, storage.path, { recursive: true });
    expect(await digest()).toEqual(digests);
    expect(storage.files()).toEqual(files);
    expect((await cli('migrate', '--check')).stdout).toContain(`the role ${SERVICE_ROLE} has no rights to`);
    expect(await cli('migrate')).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });

    const service = await ServiceProcess.start({
      DATABASE_URL: postgres.url(DATABASE, OWNER),
      DATA_DIR: postgres.folder,
      ...storage.env,
      ...variables,
    });
    const { slug, owner } = tenant;
    const credentials = { tenant: slug, email: owner.email, password: PASSWORD };
    expectStatus(await service.api.post('/api/auth/login', credentials), 200);
    // A token that was issued before the restore is valid, too.
    expectStatus(await service.api.get('/api/v1/users/me', { token: owner.token }), 200);
    // Lines of the log are buffered.
    await until(() => service.output.includes('This database was restored or copied.'));
    expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(/^vcq_outbound_paused 1$/m);
    expect((await cli('resume')).stdout).toMatch(/^Resumed. It was paused because its database was restored/);
    expect((await cli('resume')).stdout).toBe('The installation was not paused.\n');
  });
});
