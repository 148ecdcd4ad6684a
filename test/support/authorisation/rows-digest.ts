import type { Client } from 'pg';
import { tenantTables } from '../contexts/catalogue';

/** What jobs write when they get to it, whatever was asked for meanwhile. */
const WRITTEN_BY_JOBS = ['password_resets', 'stored_objects', 'webhook_attempts', 'webhook_deliveries'];

/** A digest of the tenant's rows in each table: equal ones mean that nothing was changed. */
export async function rowsDigest(db: Client, tenantId: string): Promise<Record<string, string>> {
  const tables = (await tenantTables(db)).filter(({ name }) => !WRITTEN_BY_JOBS.includes(name));
  const digests = tables.map(
    ({ name, owner }) =>
      `SELECT '${name}' AS name, COALESCE(md5(string_agg(t::text, ' ' ORDER BY t::text)), 'none') AS digest
       FROM ${name} t WHERE t.${owner} = $1`,
  );
  const { rows } = await db.query<{ name: string; digest: string }>(digests.join(' UNION ALL '), [tenantId]);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

const NAMING = /^(id|name|email|token|slug|identifier|document|label)$|_(id|name|email)$/;

/** Whatever identifies the tenant, its people and its things: their ids, names and addresses. */
export async function identifiersOf(db: Client, tenantId: string): Promise<Set<string>> {
  const values = (await tenantTables(db)).map(
    ({ name, owner }) =>
      `SELECT v.value FROM ${name} t, jsonb_each_text(to_jsonb(t)) v
       WHERE t.${owner} = $1 AND v.key ~ $2 AND v.value !~ '^\\d*$'`,
  );
  const { rows } = await db.query<{ value: string }>(values.join(' UNION '), [tenantId, NAMING.source]);
  return new Set(rows.map(({ value }) => value));
}
