// Fills a database with tenants, finished calls and waiting calls of any number, by SQL.
import { createRequire } from 'node:module';
import { PASSWORD } from './seed-calls.mjs';

const require = createRequire(import.meta.url);
const { PasswordHasher } = require('../../dist/src/identity/users/password-hasher.js');

/** Finished calls of a tenant per day: a longer history reaches further back and is not denser. */
const CALLS_PER_DAY = 1000;

/** $1 tenants, each with an owner, a department and a link. */
const TENANTS = `
  WITH t AS (
    INSERT INTO tenants (name, slug) SELECT 'tenant-' || n, 'tenant-' || n FROM generate_series(1, $1::int) n
    RETURNING id, slug
  ), s AS (
    INSERT INTO subscriptions (tenant_id, plan, status) SELECT id, 'enterprise', 'active' FROM t
  ), u AS (
    INSERT INTO users (tenant_id, name, email, role, password_hash)
    SELECT id, 'Owner', 'owner@' || slug || '.example', 'owner', $2 FROM t
  ), d AS (
    INSERT INTO departments (tenant_id, name, identifier, max_queue_size, max_wait_time)
    SELECT id, 'Queue', 'queue', 100000, 86400 FROM t RETURNING id, tenant_id, name
  )
  INSERT INTO access_links (tenant_id, token, label, department_id, department_name)
  SELECT tenant_id, tenant_id || '-queue', 'Bench', id, name FROM d`;

/** $1 calls of each tenant, in the order in which they were received, as the service would have stored them. */
const FINISHED = `
  INSERT INTO calls (tenant_id, status, department_id, existing_department_id, department_name, access_link_id,
    customer_name, customer_email, user_id, user_name, estimated_wait_time, wait_time, duration, rating, end_reason,
    inserted_at, assigned_at, started_at, completed_at, ended_at, updated_at)
  SELECT l.tenant_id, status, l.department_id, l.department_id, 'Queue', l.id, 'Customer ' || n,
    'customer' || n || '@example.com', CASE WHEN answered THEN u.id END, CASE WHEN answered THEN u.name END, 60, 30,
    CASE WHEN answered THEN 60 + n % 300 END, CASE WHEN answered AND n % 3 = 0 THEN 1 + n % 5 END, 'normal', at,
    CASE WHEN answered THEN at + interval '30 s' END, CASE WHEN answered THEN at + interval '40 s' END,
    CASE WHEN answered THEN at + interval '300 s' END, at + interval '300 s', at + interval '300 s'
  FROM generate_series(1, $1::int) n
    CROSS JOIN LATERAL (SELECT now() - make_interval(secs => ($1 - n + 1) * 86400.0 / ${CALLS_PER_DAY}) AS at) moment
    CROSS JOIN LATERAL (SELECT (ARRAY['completed', 'completed', 'completed', 'completed', 'completed', 'missed',
      'cancelled', 'abandoned'])[1 + n % 8] AS status) fate
    CROSS JOIN LATERAL (SELECT status = 'completed' AS answered) talk
    CROSS JOIN access_links l JOIN users u ON u.tenant_id = l.tenant_id
  ORDER BY n`;

const WORDS = `INSERT INTO call_words (call_id, tenant_id, words)
  SELECT id, tenant_id, call_words_of(customer_name, customer_email) FROM calls`;

/** $1 waiting calls of each tenant, whose customers have an open socket. */
const WAITING = `
  INSERT INTO calls (tenant_id, status, department_id, department_name, access_link_id, customer_name,
    estimated_wait_time, wait_deadline, inserted_at, updated_at)
  SELECT tenant_id, 'queued', department_id, 'Queue', id, 'Waiting ' || n, 60, now() + interval '1 day',
    now() - interval '1 hour', now()
  FROM access_links, generate_series(1, $1::int) n ORDER BY n`;

export async function insertTenants(db, count) {
  await db.query(TENANTS, [count, await new PasswordHasher().hash(PASSWORD)]);
}

/** Inserts `count` finished calls of each tenant. Indexes are built afterwards, which is much faster. */
export async function insertFinishedCalls(db, count) {
  await db.query(`SET maintenance_work_mem = '512MB'; SET session_replication_role = replica`);
  const { rows: indexes } = await db.query(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid IN ('calls'::regclass, 'call_words'::regclass)
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
  );
  await db.query(`DROP INDEX ${indexes.map(({ name }) => name).join(', ')}`);
  await db.query(FINISHED, [count]);
  await db.query(WORDS);
  for (const { definition } of indexes) await db.query(definition);
  await db.query('RESET session_replication_role');
  await db.query('VACUUM (ANALYZE) calls, call_words');
}

/** Inserts `count` waiting calls of each tenant. */
export async function insertWaitingCalls(db, count) {
  await db.query(WAITING, [count]);
  await db.query('VACUUM (ANALYZE) calls');
}

/** @returns the tenants with one of their waiting and some of their finished calls */
export async function readTenants(db, limit) {
  const { rows } = await db.query(
    `SELECT t.slug, l.token AS link,
       (SELECT id FROM calls c WHERE c.tenant_id = t.id AND status = 'queued' ORDER BY queue_number DESC LIMIT 1) AS waiting,
       ARRAY(SELECT id FROM calls c WHERE c.tenant_id = t.id AND status = 'completed' ORDER BY id LIMIT 100) AS finished,
       (SELECT customer_email FROM calls c WHERE c.tenant_id = t.id AND status = 'completed' ORDER BY id LIMIT 1) AS email
     FROM tenants t JOIN access_links l ON l.tenant_id = t.id ORDER BY t.slug LIMIT $1`,
    [limit],
  );
  return rows.map((tenant) => ({ ...tenant, owner: `owner@${tenant.slug}.example`, password: PASSWORD }));
}
