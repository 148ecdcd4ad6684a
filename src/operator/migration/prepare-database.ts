import { Client } from 'pg';
import { MIGRATIONS } from '../../../migrations';
import { WITHHELD_PRIVILEGES } from '../../../migrations/withheld-privileges';
import { formerRoleNotice, resolveApplicationRole } from './application-role';
import { JOB_SCHEMA_VERSION, readJobSchemaVersion } from '../../platform/jobs/create-pg-boss';
import { installJobTables } from './job-tables';
import { withMigrationLock } from './migration-lock';
import { type MigrationProgress, SILENT } from './migration-session';
import { migrationSettings } from './migration-session';
import { grantAccess } from './role-grants';
import { FORMER_ROLE } from './role-name';
import { retryWhileLocked } from './migration-session';
import { runMigrations } from './run-migrations';
import type { MigrationClass } from './schema-state';

/** PostgreSQL 15, as in server_version_num. */
const MIN_SERVER_VERSION = 150_000;

interface Options {
  /** The value of DATABASE_ROLE. */
  role?: string;
  progress?: MigrationProgress;
  /** All migrations, unless a test has its own. */
  migrations?: MigrationClass[];
}

/**
 * Brings a database to this version of the service, as the login of its URL: migrations, the job queue's
 * tables, role and grants. Processes that do so at the same time take turns; the later ones find it done.
 * @returns the role that the service's queries run as
 * @throws Error when the server is too old, or resolveApplicationRole finds no role
 */
export async function prepareDatabase(
  url: string,
  { role: requestedRole, progress = SILENT, migrations = MIGRATIONS }: Options = {},
): Promise<string> {
  const settings = migrationSettings(url);
  const client = new Client({
    connectionString: settings.url,
    options: settings.options,
    application_name: 'video-call-queue migration',
  });
  client.on('error', () => {
    // The next query reports it.
  });
  await client.connect();
  try {
    await ensureSupportedVersion(client);
    return await withMigrationLock(url, progress, async (releaseFormerLock) => {
      const role = await resolveApplicationRole(client, requestedRole);
      const grant = () => grantAccess(client, role, WITHHELD_PRIVILEGES);
      await runMigrations(url, client, progress, migrations, releaseFormerLock);
      const found = await readJobSchemaVersion(client);
      await releaseFormerLock();
      await installJobTables(url, client, progress, () => retryWhileLocked(client, progress, grant));
      if (found === null || found < JOB_SCHEMA_VERSION) {
        progress.log(`The job queue has version ${JOB_SCHEMA_VERSION} (before: ${found ?? 'none'}).`);
      }
      if (requestedRole === undefined && role === FORMER_ROLE) progress.log(await formerRoleNotice(client));
      return role;
    });
  } finally {
    await client.end();
  }
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
