import { type Client, escapeIdentifier } from 'pg';

/** The role as which the running service executes its queries unless DATABASE_ROLE is set; it owns nothing. */
const DEFAULT_ROLE = 'video_queue_app';

/** Privileges on a table that the application role does not get. */
export interface WithheldPrivileges {
  table: string;
  privileges: ('INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE')[];
  /** Whether they are withheld only from a role that does not own the table. */
  isOwnerExempt?: boolean;
}

/**
 * Determines the role that the service runs as: the requested one or video_queue_app, which is created when it is missing.
 * Without a requested role, a plain login that can neither create nor become the default one runs as itself: row-level
 * security is forced, so it applies to the login even where the login owns the tables. A login that bypasses row-level
 * security is never used, nor such a role.
 * @param requested the value of DATABASE_ROLE
 * @returns the role's name
 * @throws Error with the SQL that an administrator has to run
 */
export async function resolveApplicationRole(client: Client, requested?: string): Promise<string> {
  const role = requested ?? DEFAULT_ROLE;
  await ensureRowLevelSecurity(client, role);
  if (await canBecomeRole(client, role)) return role;
  try {
    await createRole(client, escapeIdentifier(role));
    return role;
  } catch (error) {
    const login = await currentLogin(client);
    if (requested === undefined && !login.bypasses_rls) return login.name;
    const subject = login.bypasses_rls ? 'bypasses row-level security and may not' : 'may not';
    throw new Error(
      `The login of DATABASE_URL ${subject} become the role ${role}. ` +
        `Let an administrator run: CREATE ROLE ${escapeIdentifier(role)} NOLOGIN; ` +
        `GRANT ${escapeIdentifier(role)} TO ${escapeIdentifier(login.name)}; (PostgreSQL said: ${(error as Error).message})`,
      { cause: error },
    );
  }
}

/**
 * Determines the role that the service runs as, as resolveApplicationRole does, without creating one.
 * @param requested the value of DATABASE_ROLE
 * @returns undefined if resolveApplicationRole would create the role, or fail
 */
export async function findApplicationRole(client: Client, requested?: string): Promise<string | undefined> {
  const role = requested ?? DEFAULT_ROLE;
  await ensureRowLevelSecurity(client, role);
  if (await canBecomeRole(client, role)) return role;
  const login = await currentLogin(client);
  const isReplaceable = requested === undefined && !login.bypasses_rls;
  return isReplaceable && !(login.creates_roles && (await isMissing(client, role))) ? login.name : undefined;
}

/** @param role as an escaped identifier */
async function createRole(client: Client, role: string): Promise<void> {
  try {
    await client.query(`CREATE ROLE ${role} NOLOGIN NOSUPERUSER NOBYPASSRLS`);
  } catch (error) {
    if (!ALREADY_EXISTS.has((error as { code?: string }).code)) throw error;
  }
  // Since PostgreSQL 16 the creator of a role may grant it, but can become it only with the SET option.
  const option = (await serverVersion(client)) >= 160000 ? 'WITH INHERIT FALSE, SET TRUE' : '';
  await client.query(`GRANT ${role} TO CURRENT_USER ${option}`);
}

/** duplicate_object, and unique_violation if another start creates it at the same time. */
const ALREADY_EXISTS = new Set<string | undefined>(['42710', '23505']);

/** @throws Error if the role exists and bypasses row-level security */
async function ensureRowLevelSecurity(client: Client, role: string): Promise<void> {
  const { rows } = await client.query(
    'SELECT FROM pg_roles WHERE rolname = $1 AND (rolsuper OR rolbypassrls)',
    [role],
  );
  if (rows.length > 0) {
    throw new Error(`The role ${role} bypasses row-level security. Set DATABASE_ROLE to one that does not.`);
  }
}

async function isMissing(client: Client, role: string): Promise<boolean> {
  const { rows } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  return rows.length === 0;
}

/** PostgreSQL 16 separates the SET option from membership; before, every member could become the role. */
async function canBecomeRole(client: Client, role: string): Promise<boolean> {
  const privilege = (await serverVersion(client)) >= 160000 ? 'SET' : 'MEMBER';
  const { rows } = await client.query<{ can_become: boolean }>(
    'SELECT pg_has_role(current_user, oid, $2) AS can_become FROM pg_roles WHERE rolname = $1',
    [role, privilege],
  );
  return rows[0]?.can_become ?? false;
}

async function serverVersion(client: Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::int AS version`,
  );
  return rows[0]?.version ?? 0;
}

interface Login {
  name: string;
  bypasses_rls: boolean;
  creates_roles: boolean;
}

async function currentLogin(client: Client): Promise<Login> {
  const { rows } = await client.query<Login>(
    `SELECT rolname AS name, rolsuper OR rolbypassrls AS bypasses_rls, rolcreaterole AS creates_roles
     FROM pg_roles WHERE rolname = current_user`,
  );
  return rows[0] ?? { name: 'current_user', bypasses_rls: true, creates_roles: false };
}

/** Grants the role access to rows, but not to definitions. Call it after the migrations. */
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
  for (const { table, privileges, isOwnerExempt } of withheld) {
    // Cascading deletes run with the privileges of the table owner, which therefore keeps DELETE.
    const ofOwner = isOwnerExempt ? [] : privileges.filter(isUpdate);
    const revoked = (await ownsTable(client, name, table)) ? ofOwner : privileges;
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
