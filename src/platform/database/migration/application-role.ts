import { type Client, escapeIdentifier } from 'pg';

/** The role as which the running service executes its queries; it owns nothing. */
const APPLICATION_ROLE = 'video_queue_app';

/** Privileges on a table that the application role does not get. */
export interface WithheldPrivileges {
  table: string;
  privileges: ('UPDATE' | 'DELETE' | 'TRUNCATE')[];
}

/**
 * Determines the role that the service runs as: video_queue_app, which is created when it is missing. A plain
 * login that can neither create nor become that role runs as itself: row-level security is forced, so it applies
 * to the login even where the login owns the tables. A login that bypasses row-level security is never used.
 * @returns the role's name
 * @throws Error with the SQL that an administrator has to run
 */
export async function resolveApplicationRole(client: Client): Promise<string> {
  if (await canBecomeRole(client)) return APPLICATION_ROLE;
  try {
    await createRole(client);
    return APPLICATION_ROLE;
  } catch (error) {
    const login = await currentLogin(client);
    if (!login.bypasses_rls) return login.name;
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
  // Since PostgreSQL 16 the creator of a role may grant it, but can become it only with the SET option.
  const option = (await serverVersion(client)) >= 160000 ? 'WITH INHERIT FALSE, SET TRUE' : '';
  await client.query(`GRANT ${APPLICATION_ROLE} TO CURRENT_USER ${option}`);
}

/** PostgreSQL 16 separates the SET option from membership; before, every member could become the role. */
async function canBecomeRole(client: Client): Promise<boolean> {
  const privilege = (await serverVersion(client)) >= 160000 ? 'SET' : 'MEMBER';
  const { rows } = await client.query<{ can_become: boolean }>(
    'SELECT pg_has_role(current_user, oid, $2) AS can_become FROM pg_roles WHERE rolname = $1',
    [APPLICATION_ROLE, privilege],
  );
  return rows[0]?.can_become ?? false;
}

async function serverVersion(client: Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::int AS version`,
  );
  return rows[0]?.version ?? 0;
}

async function currentLogin(client: Client): Promise<{ name: string; bypasses_rls: boolean }> {
  const { rows } = await client.query<{ name: string; bypasses_rls: boolean }>(
    `SELECT rolname AS name, rolsuper OR rolbypassrls AS bypasses_rls
     FROM pg_roles WHERE rolname = current_user`,
  );
  return rows[0] ?? { name: APPLICATION_ROLE, bypasses_rls: true };
}

/** Grants the role access to rows, but not to definitions. Call it after the migrations, at every start. */
export async function grantToRole(
  client: Client,
  name: string,
  withheld: WithheldPrivileges[],
): Promise<void> {
  const role = escapeIdentifier(name);
  await client.query(`
    GRANT USAGE ON SCHEMA public, pgboss TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public, pgboss TO ${role};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public, pgboss TO ${role};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pgboss TO ${role};
  `);
  for (const { table, privileges } of withheld) {
    // Cascading deletes run with the privileges of the table owner, which therefore keeps DELETE.
    const revoked = (await ownsTable(client, name, table)) ? privileges.filter(isUpdate) : privileges;
    if (revoked.length > 0) await client.query(`REVOKE ${revoked.join(', ')} ON ${table} FROM ${role}`);
  }
}

const isUpdate = (privilege: string): boolean => privilege === 'UPDATE';

async function ownsTable(client: Client, role: string, table: string): Promise<boolean> {
  const { rows } = await client.query<{ owner: string }>(
    'SELECT pg_get_userbyid(relowner) AS owner FROM pg_class WHERE oid = $1::regclass',
    [table],
  );
  return rows[0]?.owner === role;
}
