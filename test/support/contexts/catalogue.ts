import type { Client } from 'pg';

/** Tables that belong to no tenant: the list of what has been migrated, and the leases of processes. */
const WITHOUT_TENANT = ['instances', 'migrations'];

export interface TenantTable {
  name: string;
  /** The column that says whose a row is. */
  owner: string;
  /** Columns that take values, generated ones left out. */
  columns: string[];
  secured: boolean;
  forced: boolean;
  policies: number;
}

/** Every tenant table there is. @throws Error when a table is neither one nor known to belong to nobody */
export async function tenantTables(client: Client): Promise<TenantTable[]> {
  const { rows } = await client.query<TenantTable>(
    `SELECT c.relname AS name, c.relrowsecurity AS secured, c.relforcerowsecurity AS forced,
       (SELECT count(*)::int FROM pg_policy p WHERE p.polrelid = c.oid AND p.polcmd = '*') AS policies,
       CASE WHEN c.relname = 'tenants' THEN 'id' ELSE 'tenant_id' END AS owner,
       ARRAY(SELECT a.attname::text FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
           AND a.attgenerated = '' AND a.attidentity = '' ORDER BY a.attnum) AS columns
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
       AND c.relname <> ALL ($1) ORDER BY c.relname`,
    [WITHOUT_TENANT],
  );
  for (const { name, owner, columns } of rows) {
    if (!columns.includes(owner)) throw new Error(`The table ${name} has no tenant and is on no list`);
  }
  return rows;
}
