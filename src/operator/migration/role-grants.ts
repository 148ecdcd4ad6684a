import { type Client, escapeIdentifier } from 'pg';
import type { WithheldPrivileges } from '../../../migrations/withheld-privileges';
import { FORMER_ROLE } from './role-name';

/**
 * Grants the role access to rows, but not to definitions, and closes the database to the logins of others. Call it after the
 * migrations. The former role, if it has had access, keeps it, also to tables that are new: instances of the former release
 * have it while they are replaced, and the triggers of this release write to new tables with their rights.
 */
export async function grantAccess(
  client: Client,
  role: string,
  withheld: WithheldPrivileges[],
): Promise<void> {
  const keepsFormer = role !== FORMER_ROLE && (await hasAccess(client, FORMER_ROLE));
  const roles = keepsFormer ? [role, FORMER_ROLE] : [role];
  for (const name of roles) await grantToRole(client, name, withheld);
  await closeDatabase(client, roles);
}

/** Whether the role exists and had rights in this database before. */
export async function hasAccess(client: Client, role: string): Promise<boolean> {
  const { rows } = await client.query<{ has_access: boolean }>(
    `SELECT has_table_privilege(r.oid, to_regclass('public.migrations'), 'SELECT') AS has_access
     FROM pg_roles r WHERE rolname = $1`,
    [role],
  );
  return rows[0]?.has_access ?? false;
}

async function grantToRole(client: Client, name: string, withheld: WithheldPrivileges[]): Promise<void> {
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

/**
 * PostgreSQL lets every login of the server connect to a new database. Only the owner of this one can change that; for another
 * login the administrator has to. Logins that may become a role with access keep the right to connect, also those that do not
 * inherit the rights of the role: they are those of instances.
 */
async function closeDatabase(client: Client, roles: string[]): Promise<void> {
  const { rows } = await client.query<{ name: string; is_open: boolean; may_close: boolean }>(
    `SELECT datname AS name, pg_has_role(current_user, datdba, 'USAGE') AS may_close,
       EXISTS (SELECT FROM aclexplode(COALESCE(datacl, acldefault('d', datdba)))
         WHERE grantee = 0 AND privilege_type = 'CONNECT') AS is_open
     FROM pg_database WHERE datname = current_database()`,
  );
  const [database] = rows;
  if (!database?.may_close) return;
  const members = await client.query<{ name: string }>(
    `SELECT l.rolname AS name FROM pg_roles l
     WHERE l.rolcanlogin AND NOT l.rolsuper AND EXISTS (SELECT FROM pg_roles r
       WHERE r.rolname = ANY ($1) AND pg_has_role(l.oid, r.oid, 'MEMBER') AND NOT pg_has_role(l.oid, r.oid, 'USAGE'))`,
    [roles],
  );
  const names = [...roles, ...members.rows.map((member) => member.name)];
  const allowed = names.map(escapeIdentifier).join(', ');
  const name = escapeIdentifier(database.name);
  if (database.is_open) {
    await client.query(
      `GRANT CONNECT ON DATABASE ${name} TO ${allowed}; REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`,
    );
  } else if (await lacksConnect(client, names)) {
    await client.query(`GRANT CONNECT ON DATABASE ${name} TO ${allowed}`);
  }
}

/** Whether one of the roles and members is new since the database was closed. */
async function lacksConnect(client: Client, names: string[]): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM unnest($1::text[]) AS name WHERE NOT has_database_privilege(name, current_database(), 'CONNECT')`,
    [names],
  );
  return rows.length > 0;
}
