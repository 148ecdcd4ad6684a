import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../../migrations';
import { grantToRole, resolveApplicationRole } from './application-role';

/** Any number will do, as long as all instances of the service agree on it. */
const MIGRATION_LOCK = 7_304_511;
const OLDEST_SUPPORTED = 150_000;

/**
 * Brings a database to this version of the service, as the login of its URL: migrations, the job queue's
 * tables, role and grants. Instances that start together take turns; the later ones find nothing to do.
 * @returns the role that the service's queries run as
 */
export async function prepareDatabase(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await checkVersion(client);
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const role = await resolveApplicationRole(client);
    await migrate(url);
    await installJobTables(url);
    await grantToRole(client, role);
    return role;
  } finally {
    await client.end();
  }
}

async function checkVersion(client: Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`,
  );
  if ((rows[0]?.number ?? 0) < OLDEST_SUPPORTED) {
    throw new Error(`PostgreSQL 15 or newer is needed; DATABASE_URL leads to ${rows[0]?.version}.`);
  }
}

/** A data source that runs as the owner and knows the migrations; the service's own one does neither. */
export function migrationDataSource(url: string): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    installExtensions: false,
    poolSize: 2,
    migrations: MIGRATIONS,
  });
}

async function migrate(url: string): Promise<void> {
  const dataSource = await migrationDataSource(url).initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}

async function installJobTables(url: string): Promise<void> {
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false, max: 2 });
  // Without a listener an 'error' event would end the process; start() rejects with the same error.
  boss.on('error', () => {});
  await boss.start();
  await boss.stop({ graceful: false });
}
