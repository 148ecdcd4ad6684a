import type { ClientBase, Pool } from 'pg';
import { PgBoss } from 'pg-boss';
import { pgboss } from 'pg-boss/package.json';
import type { Config } from '../config/config';
import { createDedicatedPool } from '../database/connections/dedicated-pool';
import { sessionSettings } from '../database/connections/session-settings';
import { KEEP_ALIVE } from '../database/connections/time-limits';

/** The version of the job queue's tables that this version of the service is written for. */
export const JOB_SCHEMA_VERSION = pgboss.schema;

/** @returns the version of the job queue's tables in the database; null if there are none */
export async function readJobSchemaVersion(client: ClientBase | Pool): Promise<number | null> {
  const { rows } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('pgboss.version') IS NOT NULL AS exists`,
  );
  if (!rows[0]?.exists) return null;
  const versions = await client.query<{ version: number }>('SELECT version::int FROM pgboss.version');
  return versions.rows[0]?.version ?? null;
}

/** pg-boss passes these to pg: a silent network partition must not hold the connections of the workers. */
const PARTITION_LIMITS = { ...KEEP_ALIVE, query_timeout: 60_000, connectionTimeoutMillis: 5000 };

/** Seconds between two checks for attempts that timed out or have no heartbeat. */
const SUPERVISION = { superviseIntervalSeconds: 10, monitorIntervalSeconds: 10 };

/** A database that is busy for a moment does not end the start. */
const CHECK_TIMEOUT_MS = 15_000;

/** Seconds between two looks for indexes to build: 23 days, about the longest that a timer can wait. */
const NO_BUILDS = 2_000_000;

/**
 * Creates the client of the job queue, which changes no tables. pg-boss accepts tables of its own version only, unless it
 * may migrate them: then it does nothing on newer ones, with which an instance of the former version has to work while
 * instances are replaced. It would also build indexes, which the role of the service may not.
 * @throws Error if the tables are older than the code or missing
 */
export async function createPgBoss(config: Config): Promise<PgBoss> {
  const found = await readVersion(config);
  if (found === null || found < JOB_SCHEMA_VERSION) {
    throw new Error(`The job queue has version ${found ?? 'none'} instead of ${JOB_SCHEMA_VERSION}.`);
  }
  const { url, options } = sessionSettings(config.databaseUrl ?? '', config.databaseRole);
  return new PgBoss({
    connectionString: url,
    application_name: 'video-call-queue jobs',
    options,
    max: 2,
    ...PARTITION_LIMITS,
    migrate: found > JOB_SCHEMA_VERSION,
    bamIntervalSeconds: NO_BUILDS,
    createSchema: false,
    reindex: false,
    ...SUPERVISION,
    supervise: config.isWorker,
    schedule: config.isWorker,
  });
}

async function readVersion(config: Config): Promise<number | null> {
  const pool = createDedicatedPool(config, 'check of the job queue', CHECK_TIMEOUT_MS);
  try {
    return await readJobSchemaVersion(pool);
  } finally {
    await pool.end();
  }
}
