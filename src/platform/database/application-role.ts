import { type Client, escapeIdentifier } from 'pg';

/** The role without rights of its own that the running service's queries use. */
const APPLICATION_ROLE = 'video_queue_app';

/**
 * The role the service shall run as: video_queue_app, made if need be. A plain login that may neither
 * make nor become it runs as itself: forced row-level security binds it all the same, though it owns the
 * tables. A login that row-level security does not bind is never used that way.
 * @returns the role's name
 * @throws Error with the SQL that an administrator has to run
 */
export async function resolveApplicationRole(client: Client): Promise<string> {
  if (await mayBecomeRole(client)) return APPLICATION_ROLE;
  try {
    await createRole(client);
    return APPLICATION_ROLE;
  } catch (error) {
    const login = await loginOf(client);
    if (!login.bypasses) return login.name;
    throw new Error(
      `The login of DATABASE_URL bypasses row-level security and may not become the role ${APPLICATION_ROLE}. ` +
        `Let an administrator run: CREATE ROLE ${APPLICATION_ROLE} NOLOGIN; ` +
        `GRANT ${APPLICATION_ROLE} TO ${escapeIdentifier(login.name)}; (PostgreSQL said: ${(error as Error).message})`,
      { cause: error },
    );
  }
}

async function createRole(client: Client): Promise<void> {
  await client.query(`
    DO $$ BEGIN
      CREATE ROLE ${APPLICATION_ROLE} NOLOGIN NOSUPERUSER NOBYPASSRLS;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`);
  // Since PostgreSQL 16 a role's maker may hand it out, but become it only when told so.
  const option = (await serverVersion(client)) >= 160000 ? 'WITH INHERIT FALSE, SET TRUE' : '';
  await client.query(`GRANT ${APPLICATION_ROLE} TO CURRENT_USER ${option}`);
}

/** PostgreSQL 16 tells SET from mere membership; before, a member could always become the role. */
async function mayBecomeRole(client: Client): Promise<boolean> {
  const privilege = (await serverVersion(client)) >= 160000 ? 'SET' : 'MEMBER';
  const { rows } = await client.query<{ may: boolean }>(
    'SELECT pg_has_role(current_user, oid, $2) AS may FROM pg_roles WHERE rolname = $1',
    [APPLICATION_ROLE, privilege],
  );
  return rows[0]?.may ?? false;
}

async function serverVersion(client: Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::int AS version`,
  );
  return rows[0]?.version ?? 0;
}

async function loginOf(client: Client): Promise<{ name: string; bypasses: boolean }> {
  const { rows } = await client.query<{ name: string; bypasses: boolean }>(
    `SELECT rolname AS name, rolsuper OR rolbypassrls AS bypasses
     FROM pg_roles WHERE rolname = current_user`,
  );
  return rows[0] ?? { name: APPLICATION_ROLE, bypasses: true };
}

/** Gives the role what the service needs: rows, never definitions. Runs after every migration. */
export async function grantToRole(client: Client, name: string): Promise<void> {
  const role = escapeIdentifier(name);
  await client.query(`
    GRANT USAGE ON SCHEMA public, pgboss TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public, pgboss TO ${role};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public, pgboss TO ${role};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pgboss TO ${role};
    REVOKE UPDATE ON domain_events FROM ${role};
  `);
  if (!(await owns(client, name, 'audit_log'))) await client.query(keepFrom(role));
}

/** The log is added to and never changed, and nobody's goes with the tenant by a slip of the service. */
const keepFrom = (role: string): string => `
  REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM ${role};
  REVOKE DELETE, TRUNCATE ON tenants FROM ${role};
`;

/** A tenant's deletion takes its rows along by their owner's rights; an owner is held back by triggers alone. */
async function owns(client: Client, name: string, table: string): Promise<boolean> {
  const { rows } = await client.query<{ owner: string }>(
    'SELECT pg_get_userbyid(relowner) AS owner FROM pg_class WHERE oid = $1::regclass',
    [table],
  );
  return rows[0]?.owner === name;
}
