import { type TenantTable, tenantTables } from '../contexts/tenant-tables';
import type { TestConnection } from '../database/database';

const tables = new WeakMap<TestConnection, Promise<TenantTable[]>>();

/** The tables of a database, cached because the schema does not change during a spec. */
function tablesOf(db: TestConnection): Promise<TenantTable[]> {
  const known = tables.get(db) ?? tenantTables(db);
  tables.set(db, known);
  return known;
}

/** Tables that jobs write at any time, independent of the tested request. */
const WRITTEN_BY_JOBS = [
  'ended_waits',
  'learned_waits',
  'callbacks',
  'callback_mails',
  'erasures',
  'line_entries',
  'offer_exclusions',
  'password_resets',
  'stored_objects',
  'wait_learning',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_events',
];

/** Rows that a job deletes after the request that has hidden them. */
const STILL_VISIBLE: Record<string, string> = {
  webhooks: 't.deleted_at IS NULL',
  webhook_secrets: 'EXISTS (SELECT FROM webhooks w WHERE w.id = t.webhook_id AND w.deleted_at IS NULL)',
};

/**
 * A digest of the tenant's rows per table. Equal digests mean that no row was written: `xmin` is the transaction that
 * wrote a version of a row. Content is not compared, since that took PostgreSQL a quarter of the time of the whole suite.
 */
export async function rowsDigest(db: TestConnection, tenantId: string): Promise<Record<string, string>> {
  const digested = (await tablesOf(db)).filter(({ name }) => !WRITTEN_BY_JOBS.includes(name));
  const digests = digested.map(
    ({ name, owner }) =>
      `SELECT '${name}' AS name, count(*) || ' rows of ' || COALESCE(sum(xmin::text::bigint), 0) AS digest
       FROM ${name} t WHERE t.${owner} = $1 AND ${STILL_VISIBLE[name] ?? 'true'}`,
  );
  const { rows } = await db.query<{ name: string; digest: string }>({
    name: 'rows-digest',
    text: digests.join(' UNION ALL '),
    values: [tenantId],
  });
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/** Columns with ids, names and e-mail addresses. */
const IDENTIFYING_COLUMN = '^(id|name|email|token|slug|identifier|document|label)$|_(id|name|email)$';

const identifierQueries = new WeakMap<TestConnection, Promise<string>>();

async function buildIdentifierQuery(db: TestConnection): Promise<string> {
  const { rows } = await db.query<{ table_name: string; columns: string }>(
    `SELECT table_name, string_agg(quote_ident(column_name) || '::text', ', ') AS columns
     FROM information_schema.columns WHERE table_schema = 'public' AND column_name ~ $1 GROUP BY table_name`,
    [IDENTIFYING_COLUMN],
  );
  const columnsOf = new Map(rows.map(({ table_name, columns }) => [table_name, columns]));
  return (await tablesOf(db))
    .filter(({ name }) => columnsOf.has(name))
    .map(
      ({ name, owner }) =>
        `SELECT unnest(ARRAY[${columnsOf.get(name)}]) AS value FROM ${name} WHERE ${owner} = $1`,
    )
    .join(' UNION ALL ');
}

/** All ids, names and e-mail addresses of the tenant and its records. */
export async function identifiersOf(db: TestConnection, tenantId: string): Promise<Set<string>> {
  const text = identifierQueries.get(db) ?? buildIdentifierQuery(db);
  identifierQueries.set(db, text);
  const { rows } = await db.query<{ value: string | null }>({
    name: 'identifiers',
    text: await text,
    values: [tenantId],
  });
  // Numbers are no identifiers: they are in many responses.
  return new Set(rows.flatMap(({ value }) => (value && !/^\d+$/.test(value) ? [value] : [])));
}
