import type { Client } from 'pg';

/** What a restore changes: the time of the refresh of materialized views, and the values that sequences have reserved. */
const VOLATILE_COLUMNS = ['refreshed_at', 'log_cnt'];
const ROW = `(to_jsonb(t) - '{${VOLATILE_COLUMNS.join(',')}}'::text[])::text`;

/** A digest of the rows of each table, view and sequence of the service, of all companies. */
export async function relationDigests(client: Client): Promise<Record<string, string>> {
  await client.query(`SET app.system = 'on'`);
  const { rows } = await client.query<{ name: string }>(
    `SELECT relnamespace::regnamespace || '.' || relname AS name FROM pg_class
     WHERE relnamespace::regnamespace::text IN ('public', 'analytics', 'pgboss') AND relkind IN ('r', 'p', 'v', 'm', 'S')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = pg_class.oid AND d.deptype = 'e')
     ORDER BY 1`,
  );
  const digests = rows.map(
    ({ name }) => `SELECT '${name}' AS name, count(*) || ' rows' ||
      COALESCE(', ' || md5(string_agg(md5(${ROW}), '' ORDER BY md5(${ROW}))), '') AS digest FROM (SELECT * FROM ${name}) t`,
  );
  const found = await client.query<{ name: string; digest: string }>(digests.join(' UNION ALL '));
  return Object.fromEntries(found.rows.map(({ name, digest }) => [name, digest]));
}
