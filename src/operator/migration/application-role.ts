import { type Client, escapeIdentifier } from 'pg';
import { hasAccess } from './role-grants';
import { defaultRole, FORMER_ROLE } from './role-name';

/**
 * Determines the role that the service runs as: the requested one or that of the database, which is created when it is
 * missing. Without a requested role, a login that can neither create nor become the latter uses the former role, if it has
 * access and the login may become it; this ends with the next release. Otherwise a plain login runs as itself: row-level
 * security is forced, so it applies to the login even where the login owns the tables. A login that bypasses row-level
 * security is never used, nor such a role.
 * @param requested the value of DATABASE_ROLE
 * @returns the role's name
 * @throws Error with the SQL that an administrator has to run
 */
export async function resolveApplicationRole(client: Client, requested?: string): Promise<string> {
  const role = requested ?? (await readDefaultRole(client));
  await ensureRowLevelSecurity(client, role);
  if (await canBecomeRole(client, role)) return role;
  try {
    await createRole(client, escapeIdentifier(role));
    return role;
  } catch (error) {
    const login = await currentLogin(client);
    const substitute = requested === undefined ? await findSubstitute(client, login) : undefined;
    if (substitute) return substitute;
    const subject = login.bypasses_rls ? 'bypasses row-level security and may not' : 'may not';
    throw new Error(
      `The login of DATABASE_URL ${subject} become the role ${role}. ` +
        `Let an administrator run: ${roleSql(role, login.name)} (PostgreSQL said: ${(error as Error).message})`,
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
  const role = requested ?? (await readDefaultRole(client));
  await ensureRowLevelSecurity(client, role);
  if (await canBecomeRole(client, role)) return role;
  const login = await currentLogin(client);
  const isReplaceable = requested === undefined && !(login.creates_roles && (await isMissing(client, role)));
  return isReplaceable ? findSubstitute(client, login) : undefined;
}

/** What to do before the next release where the former role replaces that of the database. */
export async function formerRoleNotice(client: Client): Promise<string> {
  const role = await readDefaultRole(client);
  const { name } = await currentLogin(client);
  return (
    `The service still has the role ${FORMER_ROLE}, which databases of this server share. ` +
    `Before the next release let an administrator run: ${roleSql(role, name)}`
  );
}

/** The SQL by which an administrator gives a login its role. */
const roleSql = (role: string, login: string): string =>
  `CREATE ROLE ${escapeIdentifier(role)} NOLOGIN; GRANT ${escapeIdentifier(role)} TO ${escapeIdentifier(login)};`;

async function readDefaultRole(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  return defaultRole(rows[0]?.name ?? '');
}

/** The role that replaces that of the database. */
async function findSubstitute(client: Client, login: Login): Promise<string | undefined> {
  if ((await hasAccess(client, FORMER_ROLE)) && (await canBecomeRole(client, FORMER_ROLE))) {
    await ensureRowLevelSecurity(client, FORMER_ROLE);
    return FORMER_ROLE;
  }
  return login.bypasses_rls ? undefined : login.name;
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
