import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../../../migrations';
import { WITHHELD_PRIVILEGES } from '../../../../migrations/withheld-privileges';
import { grantToRole, resolveApplicationRole } from './application-role';

/** The key of the advisory lock that instances take while they migrate; an arbitrary number. */
const MIGRATION_LOCK = 7_304_511;
/** PostgreSQL 15, as in server_version_num. */
const MIN_SERVER_VERSION = 150_000;

/**
 * Brings a database to this version of the service, as the login of its URL: migrations, the job queue's
 * tables, role and grants. Instances that start at the same time take turns; the later ones find it done.
 * @param options.role the value of DATABASE_ROLE
 * @returns the role that the service's queries run as
 * @throws Error when the server is too old, or resolveApplicationRole finds no role
 */
export async function prepareDatabase(url: string, options: { role?: string } = {}): Promise<string> {
  return runConnected(url, async (client) => {
    await ensureSupportedVersion(client);
    return runConnected(url, async (lock) => {
      await lockMigrations(lock);
      const role = await resolveApplicationRole(client, options.role);
      await migrate(url);
      await installJobTables(url);
      await grantToRole(client, role, WITHHELD_PRIVILEGES);
      return role;
    });
  });
}

async function runConnected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Waits until no other instance migrates, and keeps others from it until the connection ends. The lock belongs to a
 * transaction: that of a session would stay with a connection of a pooler, and block all later starts.
 */
async function lockMigrations(client: Client): Promise<void> {
  // Migrations of large tables take longer than the limits that a login may have.
  await client.query(`BEGIN;
    SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`);
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
}

async function ensureSupportedVersion(client: Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`,
  );
  if ((rows[0]?.number ?? 0) < MIN_SERVER_VERSION) {
    throw new Error(
      `PostgreSQL 15 or newer is required; the server of DATABASE_URL is version ${rows[0]?.version}.`,
    );
  }
}

/** A data source for migrations, which connects as the tables' owner instead of the application role. */
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
