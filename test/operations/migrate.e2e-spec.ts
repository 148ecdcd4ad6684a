import { randomBytes } from 'node:crypto';
import { MIGRATIONS } from '../../migrations/index';
import { migrationDataSource } from '../../src/operator/migration/run-migrations';
import { asSuperuser, cloneDatabase, databaseUrl } from '../support/database/database';
import { SERVICE_ROLE } from '../support/database/service-role';
import { ensureBuilt } from '../support/service/built-service';
import { runCli } from '../support/service/cli';
import { ServiceProcess, stopServices } from '../support/service/service-process';

beforeAll(ensureBuilt);

const SECRETS = Object.fromEntries(
  ['JWT_SECRET', 'ENCRYPTION_KEY', 'TURN_SECRET'].map((name) => [name, randomBytes(32).toString('hex')]),
);
const PRODUCTION = { NODE_ENV: 'production', DATA_DIR: process.env.TEST_DATA_DIR ?? '', ...SECRETS };
const NAMES_COMMAND = /The database is behind this version: .*Run `npm run cli -- migrate`/;

let url: string;
let drop: () => Promise<void>;

afterEach(async () => {
  await stopServices();
  await drop();
});

/** Commands need only the variable of the database, also in production. */
const cli = (...args: string[]) => runCli(args, { NODE_ENV: 'production', DATABASE_URL: url });
const query = (sql: string, values?: unknown[]) =>
  asSuperuser(url, async (client) => (await client.query(sql, values)).rows);

async function createEmptyDatabase(): Promise<void> {
  const name = `migrate_${randomBytes(6).toString('hex')}`;
  const admin = databaseUrl('postgres');
  await asSuperuser(admin, (client) => client.query(`CREATE DATABASE ${name}`));
  url = databaseUrl(name);
  drop = () =>
    asSuperuser(admin, async (client) => void (await client.query(`DROP DATABASE ${name} WITH (FORCE)`)));
}

async function expectRefusedStart(): Promise<void> {
  const service = await ServiceProcess.spawn({ ...PRODUCTION, DATABASE_URL: url });
  expect((await service.ended).code).toBe(1);
  expect(service.output).toMatch(NAMES_COMMAND);
  expect(service.output).not.toMatch(/^ +at /m);
}

describe('an empty database', () => {
  beforeEach(createEmptyDatabase);

  it('is refused by starts and commands, and left empty, until `migrate` has prepared it', async () => {
    const behind = await cli('migrate', '--check');
    expect(behind).toMatchObject({ code: 1, stderr: '' });
    expect(behind.stdout.match(/^- migration \d{4}-/gm)).toHaveLength(MIGRATIONS.length);
    expect(behind.stdout).toContain('- migration 0001-tenancy is missing\n');
    expect(behind.stdout).toContain('- the tables of the job queue are missing\n');
    await expectRefusedStart();
    const refused = await runCli(['tenant', 'list'], { ...PRODUCTION, DATABASE_URL: url });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(NAMES_COMMAND);
    expect(
      await query(`SELECT to_regclass('migrations') AS migrations, to_regclass('pgboss.job') AS jobs`),
    ).toEqual([{ migrations: null, jobs: null }]);

    // At the same time they take turns.
    const [migrated, second] = await Promise.all([cli('migrate'), cli('migrate', '--json')]);
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    expect(migrated.stdout).toMatch(/The database is up to date\.\n$/);
    expect(JSON.parse(second.stdout)).toMatchObject({ up_to_date: true, role: SERVICE_ROLE });
    const checked = await cli('migrate', '--check', '--json');
    expect(checked.code).toBe(0);
    expect(JSON.parse(checked.stdout)).toMatchObject({ up_to_date: true, missing_migrations: [] });
    expect(await cli('migrate')).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });
    const service = await ServiceProcess.start({ ...PRODUCTION, DATABASE_URL: url });
    expect((await service.api.get('/readyz')).status).toBe(200);
  });

  it('is migrated by a start with MIGRATE_ON_START=true', async () => {
    const service = await ServiceProcess.start({
      ...PRODUCTION,
      DATABASE_URL: url,
      MIGRATE_ON_START: 'true',
    });
    expect((await service.api.get('/readyz')).status).toBe(200);
  });
});

describe('a migrated database', () => {
  beforeEach(async () => {
    ({ url, drop } = await cloneDatabase());
  });

  it('is behind without its newest migration, and fine with one of a newer version', async () => {
    const source = await migrationDataSource(url).initialize();
    await source.undoLastMigration({ transaction: 'each' });
    await source.destroy();
    const newest = MIGRATIONS.at(-1)?.name ?? '';
    const { code, stdout } = await cli('migrate', '--check', '--json');
    expect([code, JSON.parse(stdout).missing_migrations]).toEqual([1, [newest]]);
    await expectRefusedStart();
    expect((await cli('migrate')).stdout).toMatch(
      /^Migrated \d{4}-[a-z-]+\.\nThe database is up to date\.\n$/,
    );

    await query(`INSERT INTO migrations (timestamp, name) VALUES (1780000009999, 'Newer1780000009999')`);
    expect((await cli('migrate', '--check')).code).toBe(0);
  });

  it('is behind without the rights of the role', async () => {
    await query(`REVOKE SELECT ON calls FROM ${SERVICE_ROLE}`);
    const behind = await cli('migrate', '--check');
    expect(behind.code).toBe(1);
    expect(behind.stdout).toContain(`- the role ${SERVICE_ROLE} has no rights to public.calls\n`);
    await expectRefusedStart();
    expect((await cli('migrate')).code).toBe(0);
    expect((await cli('migrate', '--check')).code).toBe(0);
  });

  it('serves a login that can do nothing but become the role', async () => {
    const login = `member_${randomBytes(4).toString('hex')}`;
    await query(`CREATE ROLE ${login} LOGIN NOINHERIT PASSWORD 'member-password'`);
    await query(`GRANT ${SERVICE_ROLE} TO ${login} WITH INHERIT FALSE, SET TRUE`);
    const owner = url;
    url = owner.replace(/\/\/[^@]+@/, `//${login}:member-password@`);
    try {
      expect(await cli('migrate', '--check')).toMatchObject({ code: 0, stderr: '' });
      const service = await ServiceProcess.start({ ...PRODUCTION, DATABASE_URL: url });
      expect((await service.api.get('/readyz')).status).toBe(200);
      await service.stop();
      await asSuperuser(owner, (client) => client.query(`REVOKE SELECT ON migrations FROM ${SERVICE_ROLE}`));
      const behind = await cli('migrate', '--check');
      expect(behind.stdout).toBe(
        `The database is behind this version:\n- the role ${SERVICE_ROLE} has no rights to public.migrations\n`,
      );
    } finally {
      url = owner;
      // The login itself stays: another spec that migrates its own database meanwhile may let all members connect there.
      await query(`REVOKE ${SERVICE_ROLE} FROM ${login}`);
    }
  });
});
