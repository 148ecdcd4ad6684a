import type { Client } from 'pg';
import { type TenantTable, tenantTables } from '../contexts/tenant-tables';

const tables = new WeakMap<Client, Promise<TenantTable[]>>();

/** The tables of a database, cached because the schema does not change during a spec. */
function tablesOf(db: Client): Promise<TenantTable[]> {
  const known = tables.get(db) ?? tenantTables(db);
  tables.set(db, known);
  return known;
}

/** Tables that jobs write at any time, independent of the tested request. */
const WRITTEN_BY_JOBS = ['password_resets', 'stored_objects', 'webhook_attempts', 'webhook_deliveries'];

/** A digest of the tenant's rows per table. Equal digests mean that no row was changed. */
export async function rowsDigest(db: Client, tenantId: string): Promise<Record<string, string>> {
  const digested = (await tablesOf(db)).filter(({ name }) => !WRITTEN_BY_JOBS.includes(name));
  const digests = digested.map(
    ({ name, owner }) =>
      `SELECT '${name}' AS name, COALESCE(md5(string_agg(t::text, ' ' ORDER BY t::text)), 'none') AS digest
       FROM ${name} t WHERE t.${owner} = $1`,
  );
  const { rows } = await db.query<{ name: string; digest: string }>({
    name: 'rows-digest',
    text: digests.join(' UNION ALL '),
    values: [tenantId],
  });
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

const IDENTIFYING_COLUMN = /^(id|name|email|token|slug|identifier|document|label)$|_(id|name|email)$/;

/** All ids, names and e-mail addresses of the tenant and its records. */
export async function identifiersOf(db: Client, tenantId: string): Promise<Set<string>> {
  const values = (await tablesOf(db)).map(
    ({ name, owner }) =>
      `SELECT v.value FROM ${name} t, jsonb_each_text(to_jsonb(t)) v
       WHERE t.${owner} = $1 AND v.key ~ $2 AND v.value !~ '^\\d*$'`,
  );
  const { rows } = await db.query<{ value: string }>({
    name: 'identifiers',
    text: values.join(' UNION '),
    values: [tenantId, IDENTIFYING_COLUMN.source],
  });
  return new Set(rows.map(({ value }) => value));
}
