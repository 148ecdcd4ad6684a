import { Client, escapeIdentifier } from 'pg';
import type { MigrationInterface } from 'typeorm';
import { MIGRATIONS } from '../../../migrations';
import { JOB_SCHEMA_VERSION, readJobSchemaVersion } from '../../platform/jobs/create-pg-boss';
import { findApplicationRole } from './application-role';

export type MigrationClass = new () => MigrationInterface;

/** What a database has of what this version needs. Anything that a newer version added is ignored. */
export interface SchemaState {
  /** Names of migrations, oldest first. */
  missing_migrations: string[];
  /** Versions of the job queue's tables; null if there are none. */
  job_tables: { needed: number; found: number | null };
  /** The role that the service would work as; null if it is missing or the login may not become it. */
  role: string | null;
  /** Schemas and tables of which the role has no rights. */
  missing_grants: string[];
  /** Indexes of the job queue that are still to be built. The service works without them, only slower. */
  pending_builds: number;
  /** Indexes that an interrupted build left behind. */
  invalid_indexes: string[];
}

/**
 * Reads it with the rights of the login, else with those of the role, as which the client then continues. Without either, it
 * contains only the role and the grants, which are then what is missing.
 * @param requestedRole the value of DATABASE_ROLE
 */
export async function readSchemaState(client: Client, requestedRole?: string): Promise<SchemaState> {
  const role = (await findApplicationRole(client, requestedRole)) ?? null;
  const missing_grants = role === null ? [] : await readMissingGrants(client, role);
  const state: SchemaState = {
    missing_migrations: [],
    job_tables: { needed: JOB_SCHEMA_VERSION, found: JOB_SCHEMA_VERSION },
    role,
    missing_grants,
    pending_builds: 0,
    invalid_indexes: await readInvalidIndexes(client),
  };
  if (!(await canRead(client))) {
    if (role === null || missing_grants.length > 0) return state;
    // The login is a member of the role that does not inherit its rights.
    await client.query(`SET ROLE ${escapeIdentifier(role)}`);
  }
  const found = await readJobSchemaVersion(client);
  return {
    ...state,
    missing_migrations: await readMissingMigrations(client, MIGRATIONS),
    job_tables: { needed: JOB_SCHEMA_VERSION, found },
    pending_builds: found === null ? 0 : await countPendingBuilds(client),
  };
}

/** Whether the service can work: everything but the builds of indexes is complete. */
export function isUsable(state: SchemaState): boolean {
  const { missing_migrations, job_tables, role, missing_grants } = state;
  const hasJobTables = job_tables.found !== null && job_tables.found >= job_tables.needed;
  return missing_migrations.length === 0 && hasJobTables && role !== null && missing_grants.length === 0;
}

/** @returns a phrase for each thing that is missing; none if the database is up to date */
export function formatMissing(state: SchemaState): string[] {
  const { job_tables, role, pending_builds } = state;
  const phrases = state.missing_migrations.map((name) => `migration ${formatMigration(name)} is missing`);
  if (job_tables.found === null) phrases.push('the tables of the job queue are missing');
  else if (job_tables.found < job_tables.needed) {
    phrases.push(`the job queue has version ${job_tables.found} instead of ${job_tables.needed}`);
  }
  if (role === null) phrases.push('the role of the service is missing, or the login may not become it');
  phrases.push(...state.missing_grants.map((name) => `the role ${role} has no rights to ${name}`));
  if (pending_builds > 0) phrases.push(`builds of indexes of the job queue are pending: ${pending_builds}`);
  phrases.push(...state.invalid_indexes.map((name) => `the index ${name} is not valid`));
  return phrases;
}

/** `LegalHolds1780000000058` as `0058-legal-holds`, which is the name of its file. */
export function formatMigration(name: string): string {
  const [, title = name, number = ''] = /^(.+?)\d{9}(\d{4})$/.exec(name) ?? [];
  const words = title.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
  return number ? `${number}-${words}` : words;
}

/** @returns the names of those that the database does not have */
export async function readMissingMigrations(client: Client, migrations: MigrationClass[]): Promise<string[]> {
  const names = migrations.map(({ name }) => name);
  if (!(await exists(client, 'public.migrations'))) return names;
  const { rows } = await client.query<{ name: string }>('SELECT name FROM public.migrations');
  const done = new Set(rows.map(({ name }) => name));
  return names.filter((name) => !done.has(name));
}

/**
 * Whether a table can be read says whether the grants were made after it. Other rights are not compared, because a newer
 * version may withhold more of them than this one knows. Tables of other owners, such as an extension's, do not count.
 */
async function readMissingGrants(client: Client, role: string): Promise<string[]> {
  if (!(await exists(client, 'public.migrations'))) return [];
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'pgboss') AND c.relkind IN ('r', 'p', 'v', 'm')
       AND c.relowner = (SELECT relowner FROM pg_class WHERE oid = 'public.migrations'::regclass)
       AND NOT (has_schema_privilege($1, n.oid, 'USAGE') AND has_table_privilege($1, c.oid, 'SELECT'))
     ORDER BY name`,
    [role],
  );
  return rows.map(({ name }) => name);
}

/** Whether the session may read those of the tables below that exist. */
async function canRead(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE (n.nspname, c.relname) IN (('public', 'migrations'), ('pgboss', 'version'), ('pgboss', 'bam'))
       AND NOT (has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'))`,
  );
  return rows.length === 0;
}

async function countPendingBuilds(client: Client): Promise<number> {
  if (!(await exists(client, 'pgboss.bam'))) return 0;
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pgboss.bam WHERE status <> 'completed'`,
  );
  return rows[0]?.count ?? 0;
}

async function readInvalidIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'pgboss') AND NOT i.indisvalid ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

async function exists(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    table,
  ]);
  return rows[0]?.exists ?? false;
}

/**
 * Checks that the database has everything that this version needs, and changes nothing.
 * @param options.role the value of DATABASE_ROLE
 * @returns the role that the service's queries run as
 * @throws SchemaBehindError
 */
export async function requireSchema(url: string, options: { role?: string } = {}): Promise<string> {
  const state = await checkSchema(url, options);
  if (state.role === null || !isUsable(state)) throw new SchemaBehindError(state);
  return state.role;
}

/** Compares the database with what this version needs. */
export async function checkSchema(url: string, { role }: { role?: string } = {}): Promise<SchemaState> {
  const client = new Client({ connectionString: url, application_name: 'video-call-queue schema check' });
  await client.connect();
  try {
    return await readSchemaState(client, role);
  } finally {
    await client.end();
  }
}

/** How many missing things the message names; `migrate --check` lists all. */
const MAX_NAMED = 3;

/** The database lacks something that this version needs, and the start may not migrate it. */
export class SchemaBehindError extends Error {
  constructor(state: SchemaState) {
    const missing = formatMissing(state);
    const named = missing.slice(0, MAX_NAMED).join('; ');
    const more = missing.length > MAX_NAMED ? `; and ${missing.length - MAX_NAMED} more` : '';
    super(
      `The database is behind this version: ${named}${more}. ` +
        'Run `npm run cli -- migrate` (in the image: `node dist/src/cli.js migrate`), or start with MIGRATE_ON_START=true.',
    );
    this.name = 'SchemaBehindError';
  }
}
