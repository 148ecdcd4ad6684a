// Generates the calls of a contact centre with office hours over many days, with their parts and offers, and the presence
// periods of its agents.
import pg from 'pg';
import { createTenant, PASSWORD } from './seed-calls.mjs';
import { withoutIndexes } from './without-indexes.mjs';

const DEPARTMENTS = 5;
const AGENTS_PER_DEPARTMENT = 10;
const ZONE = 'America/Sao_Paulo';

/** The relative number of calls per hour: weekdays from 8 to 18 h, some evenings, Saturday mornings. */
const WEIGHT = `CASE
  WHEN extract(isodow FROM day) <= 5 AND hour BETWEEN 8 AND 17 THEN 20
  WHEN extract(isodow FROM day) <= 5 AND hour BETWEEN 18 AND 21 THEN 3
  WHEN extract(isodow FROM day) = 6 AND hour BETWEEN 9 AND 12 THEN 6
  ELSE 0 END`;

/** Inserts calls in the order of their arrival, so that they are on disk in the same order as after a year of work. */
const CALLS = `
  WITH hours AS (
    SELECT day + make_interval(hours => hour) AS at, weight, sum(weight) OVER (ORDER BY day, hour) AS upto,
      sum(weight) OVER () AS total
    FROM (SELECT day, hour, ${WEIGHT} AS weight
          FROM generate_series($3::date - $4::int, $3::date - 1, interval '1 day') day, generate_series(0, 23) hour) h
  ), come AS (
    SELECT n, (at + (n - first) / (last - first + 1.0) * interval '1 hour') AT TIME ZONE '${ZONE}' AS at,
      random() AS fate, floor(-45 * ln(1 - random()))::int AS wait, 30 + floor(-300 * ln(1 - random()))::int AS talk,
      1 + floor(random() * ${DEPARTMENTS * AGENTS_PER_DEPARTMENT})::int AS agent, random() AS joy
    FROM (SELECT at, floor($2::int * (upto - weight) / total)::int + 1 AS first,
            floor($2::int * upto / total)::int AS last FROM hours) h, generate_series(first, last) n
  ), gone AS (
    SELECT *, CASE WHEN fate < 0.86 THEN 'completed' WHEN fate < 0.94 THEN 'abandoned'
      WHEN fate < 0.97 THEN 'missed' ELSE 'cancelled' END AS status FROM come
  )
  INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, customer_email, reason, user_id,
    user_name, estimated_wait_time, wait_time, duration, rating, end_reason, inserted_at, assigned_at, started_at,
    completed_at, ended_at, updated_at)
  SELECT $1, status, u.department_id, u.department_name, 'Customer ' || n, 'customer' || n || '@example.com',
    'A question about order ' || n, CASE WHEN status IN ('completed', 'missed') THEN u.id END,
    CASE WHEN status IN ('completed', 'missed') THEN u.name END, 45, wait,
    CASE WHEN status = 'completed' THEN talk END,
    CASE WHEN status = 'completed' AND joy < 0.4 THEN 5 - floor(joy * joy * 30)::int END, 'normal', at,
    CASE WHEN status IN ('completed', 'missed') THEN answered END, CASE WHEN status = 'completed' THEN answered END,
    CASE WHEN status = 'completed' THEN ended END, ended, ended
  FROM gone JOIN agents u ON u.number = agent,
    LATERAL (SELECT at + make_interval(secs => wait) AS answered,
      at + make_interval(secs => CASE WHEN status = 'completed' THEN wait + talk ELSE wait END) AS ended) t
  ORDER BY n`;

/** Agents are busy in each call and in the wrap-up after it, then available. */
const PRESENCE = `
  INSERT INTO presence_periods (tenant_id, user_id, presence, state, began_at, ended_at)
  SELECT tenant_id, user_id, presence, state, began, ended
  FROM calls, LATERAL (VALUES ('busy', 'on_call', started_at, ended_at),
    ('busy', 'wrap_up', ended_at, ended_at + interval '20 seconds'),
    ('online', 'available', ended_at + interval '20 seconds', ended_at + interval '2 minutes'))
    p (presence, state, began, ended)
  WHERE tenant_id = $1 AND status = 'completed' ORDER BY inserted_at`;

/** One part of each completed call. */
const PARTS = `
  INSERT INTO call_parts (tenant_id, call_id, department_id, user_id, joined_at, started_at, ended_at, ended_by,
    wrap_up_time)
  SELECT tenant_id, id, department_id, user_id, inserted_at, started_at, ended_at, 'completed', 20
  FROM calls WHERE tenant_id = $1 AND status = 'completed' ORDER BY inserted_at`;

/** One accepted offer of each completed call, and an expired one of each missed call. */
const OFFERS = `
  INSERT INTO offers (tenant_id, call_id, department_id, user_id, kind, status, offered_at, expires_at, ended_at)
  SELECT tenant_id, id, department_id, user_id, 'line', CASE WHEN status = 'completed' THEN 'accepted' ELSE 'expired' END,
    assigned_at - interval '6 seconds', assigned_at + interval '14 seconds', assigned_at
  FROM calls WHERE tenant_id = $1 AND status IN ('completed', 'missed') ORDER BY inserted_at`;

/** The tables with a row or more for each call. */
const TABLES = ['calls', 'presence_periods', 'call_parts', 'offers'];

/**
 * Creates a tenant with the given number of calls in the given number of days, the last one yesterday; a second tenant,
 * whose rows the scope must exclude; and a third one that is as busy, but has no calls older than `youngDays`.
 * @param url of a superuser
 * @param today YYYY-MM-DD
 * @returns id, number of calls and the owner's login of the first and the third tenant
 */
export async function seedHistories(url, { today, calls, days, youngDays }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const seed = async () => {
      const large = await seedHistory(client, 'large', { today, calls, days });
      await seedHistory(client, 'neighbour', { today, calls: calls / 10, days });
      const recent = await countOfLastDays(client, large.id, today, youngDays);
      const young = await seedHistory(client, 'young', { today, calls: recent, days: youngDays });
      return { large, young };
    };
    const tenants = await withoutIndexes(client, TABLES, seed);
    await client.query('VACUUM ANALYZE');
    return tenants;
  } finally {
    await client.end();
  }
}

async function countOfLastDays(client, tenantId, today, days) {
  const { rows } = await client.query(
    `SELECT count(*)::int AS calls FROM calls
     WHERE tenant_id = $1 AND (inserted_at AT TIME ZONE '${ZONE}')::date >= $2::date - $3::int`,
    [tenantId, today, days],
  );
  return rows[0].calls;
}

async function seedHistory(client, slug, { calls, days, today }) {
  const { tenant, user } = await createTenant(client, slug);
  await createAgents(client, tenant.id, user.id);
  // The generated rows satisfy the foreign keys; checking millions of them would take minutes.
  await client.query('SET session_replication_role = replica; SELECT setseed(0.5)');
  await client.query(CALLS, [tenant.id, calls, today, days]);
  for (const statement of [PRESENCE, PARTS, OFFERS]) await client.query(statement, [tenant.id]);
  await client.query('RESET session_replication_role; DROP TABLE agents');
  return { ...tenant, calls, email: `owner@${slug}.example`, password: PASSWORD };
}

/** Creates the agents, numbered from 1, with their departments, in the temporary table `agents`. */
async function createAgents(client, tenantId, ownerId) {
  await client.query(
    `INSERT INTO departments (tenant_id, name, identifier)
     SELECT $1, 'Department ' || n, 'department-' || n FROM generate_series(1, ${DEPARTMENTS}) n`,
    [tenantId],
  );
  await client.query(
    `INSERT INTO users (tenant_id, name, email, role, password_hash)
     SELECT o.tenant_id, 'Agent ' || n, 'agent' || n || '@' || o.tenant_id || '.example', 'attendant', o.password_hash
     FROM users o, generate_series(1, ${DEPARTMENTS * AGENTS_PER_DEPARTMENT}) n WHERE o.id = $1`,
    [ownerId],
  );
  await client.query(
    `CREATE TEMP TABLE agents AS
     SELECT u.id, u.name, u.number, d.id AS department_id, d.name AS department_name
     FROM (SELECT *, row_number() OVER () AS number FROM users WHERE tenant_id = '${tenantId}' AND role = 'attendant') u
       JOIN (SELECT *, row_number() OVER () AS number FROM departments WHERE tenant_id = '${tenantId}') d
         ON d.number = 1 + u.number % ${DEPARTMENTS}`,
  );
  await client.query(
    `INSERT INTO department_members (tenant_id, department_id, user_id)
     SELECT $1, department_id, id FROM agents`,
    [tenantId],
  );
}
