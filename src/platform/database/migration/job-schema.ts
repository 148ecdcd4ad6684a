import type { ClientBase, Pool } from 'pg';
import { pgboss } from 'pg-boss/package.json';

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
