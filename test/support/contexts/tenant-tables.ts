import type { TestConnection } from '../database/database';

/**
 * Tables without a tenant: the leases of processes, delays by e-mail address, keys that sign receipts, offsets of time zones, the last refresh
 * of the report views, and the state of the database itself.
 */
const GLOBAL_TABLES = [
  'backfills',
  'installation',
  'instances',
  'login_delays',
  'migrations',
  'receipt_keys',
  'timezone_offsets',
  'view_refreshes',
];

/** A table with rows of tenants, and its row-level security. */
export interface TenantTable {
  name: string;
  /** The column with the tenant's id. */
  owner: string;
  /** Columns that can be written, without generated ones. */
  columns: string[];
  secured: boolean;
  forced: boolean;
  policies: number;
}

/** All tables with rows of tenants. @throws Error for a table without a tenant that is not a known global table */
export async function tenantTables(client: TestConnection): Promise<TenantTable[]> {
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
    [GLOBAL_TABLES],
  );
  for (const { name, owner, columns } of rows) {
    if (!columns.includes(owner))
      throw new Error(`The table ${name} has no tenant and is not a known global table`);
  }
  return rows;
}
