// The statements by which a waiting call is found for an agent and offered to them, without the service, and data for
// them: departments, skills, agents and lines of any length.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { findCallStatement } = require('../../dist/src/routing/dispatch/find-call.js');

const DEPARTMENTS = 50;
const SKILLS = 20;
const AGENTS = 1000;
const DEPARTMENTS_OF_AGENT = 2;
const SKILLS_OF_AGENT = 3;
/** Waiting calls of one insert. */
const BATCH = 10_000;

const SKILLED = `SELECT array_agg(id ORDER BY name) FROM skills WHERE tenant_id = $1`;

/** $2 calls: half of them need no skill, a third one, the others two; one in fifty is reserved. */
const WAITING = `
  INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, estimated_wait_time, priority,
    required_skills, reserved_user_id, rank_at, inserted_at, updated_at)
  SELECT $1, 'queued', d.ids[1 + (n * 7919) % ${DEPARTMENTS}], 'Bench', 'Customer ' || n, 60, n % 10,
    (SELECT COALESCE(jsonb_agg(jsonb_build_object('skill_id', s.ids[1 + (n * 31 + k * 7) % ${SKILLS}],
        'min_level', 1 + (n + k) % 3)), '[]')
     FROM generate_series(1, CASE WHEN n % 6 < 3 THEN 0 WHEN n % 6 < 5 THEN 1 ELSE 2 END) k),
    CASE WHEN n % 50 = 0 THEN u.ids[1 + n % ${AGENTS}] END,
    now() - make_interval(secs => ($2 - n) * 0.01 + (n % 10) * 60), now() - make_interval(secs => ($2 - n) * 0.01), now()
  FROM generate_series($3::int + 1, LEAST($3 + ${BATCH}, $2::int)) n,
    (SELECT array_agg(id ORDER BY name) AS ids FROM departments WHERE tenant_id = $1) d,
    (${SKILLED}) s (ids),
    (SELECT array_agg(id ORDER BY email) AS ids FROM users WHERE tenant_id = $1 AND role = 'attendant') u`;

/**
 * Creates departments that offer calls, skills and agents who are available.
 * @returns the ids of the agents
 */
export async function insertAgents(db, tenantId) {
  await db.query(
    `INSERT INTO departments (tenant_id, name, identifier, routing, max_queue_size, skill_relax_after, preferred_agent_wait)
     SELECT $1, 'Department ' || n, 'd' || n, 'automatic', 1000000, NULL, 86400 FROM generate_series(1, $2::int) n`,
    [tenantId, DEPARTMENTS],
  );
  await db.query(
    `INSERT INTO skills (tenant_id, name) SELECT $1, 'Skill ' || n FROM generate_series(1, $2::int) n`,
    [tenantId, SKILLS],
  );
  const { rows } = await db.query(
    `INSERT INTO users (tenant_id, name, email, role)
     SELECT $1, 'Agent ' || n, 'agent' || n || '@bench.example', 'attendant' FROM generate_series(1, $2::int) n
     RETURNING id`,
    [tenantId, AGENTS],
  );
  await db.query(
    `INSERT INTO department_members (tenant_id, department_id, user_id)
     SELECT $1, d.ids[1 + (a.n * 7 + k * 13) % ${DEPARTMENTS}], a.id
     FROM (SELECT id, row_number() OVER (ORDER BY email)::int AS n FROM users
           WHERE tenant_id = $1 AND role = 'attendant') a,
       generate_series(1, $2::int) k,
       (SELECT array_agg(id ORDER BY name) AS ids FROM departments WHERE tenant_id = $1) d`,
    [tenantId, DEPARTMENTS_OF_AGENT],
  );
  await db.query(
    `INSERT INTO user_skills (tenant_id, user_id, skill_id, level)
     SELECT $1, a.id, s.ids[1 + (a.n + k * 3) % ${SKILLS}], 1 + (a.n + k) % 5
     FROM (SELECT id, row_number() OVER (ORDER BY email)::int AS n FROM users
           WHERE tenant_id = $1 AND role = 'attendant') a, generate_series(1, $2::int) k, (${SKILLED}) s (ids)`,
    [tenantId, SKILLS_OF_AGENT],
  );
  await db.query(
    `UPDATE presences p SET state = 'available', state_since = now(), idle_since = now() - random() * interval '1 hour'
     FROM users u WHERE u.id = p.user_id AND u.tenant_id = $1 AND u.role = 'attendant'`,
    [tenantId],
  );
  // agent_states reads the sockets.
  await db.query(`INSERT INTO instances (id, heartbeat_at) VALUES ($1, now() + interval '1 day')`, [
    tenantId,
  ]);
  await db.query(
    `INSERT INTO connections (tenant_id, instance_id, socket_id, user_id)
     SELECT $1, $1, id::text, id FROM users WHERE tenant_id = $1 AND role = 'attendant'`,
    [tenantId],
  );
  return rows.map(({ id }) => id);
}

/** Lets the tenant's lines grow to `count` calls in all, whose customers have sockets. */
export async function growLines(db, tenantId, count) {
  const { rows } = await db.query('SELECT count(*)::int AS waiting FROM line_entries WHERE tenant_id = $1', [
    tenantId,
  ]);
  for (let { waiting } = rows[0]; waiting < count; waiting += BATCH)
    await db.query(WAITING, [tenantId, count, waiting]);
  await db.query('VACUUM (ANALYZE)');
}

const SCOPE = (tenantId) => ({
  name: 'scope',
  text: `SELECT set_config('app.tenant_id', $1, true)`,
  values: [tenantId],
});

const IS_REACHABLE = `EXISTS (SELECT FROM presences r
  WHERE r.user_id = e.reserved_user_id AND r.state IN ('available', 'offered', 'on_call', 'wrap_up') OFFSET 0)`;

const LOCK_CALL = `SELECT c.id, c.version, e.skill_ids, e.min_levels, d.offer_timeout
  FROM calls c JOIN line_entries e ON e.call_id = c.id AND e.department_id = $3
    JOIN departments d ON d.id = $3 AND d.active AND d.routing = 'automatic'
    JOIN tenants t ON t.id = c.tenant_id AND t.suspended_at IS NULL
  WHERE c.tenant_id = $1 AND c.id = $2 AND c.status = 'queued' AND e.present AND e.present_until > $4
  FOR NO KEY UPDATE OF c SKIP LOCKED`;

/** The agents who may take the call $2 of the department $3, the one who has been idle longest first. */
const AGENTS_OF_CALL = `SELECT p.user_id FROM presences p JOIN users u ON u.id = p.user_id AND u.active
    JOIN line_entries e ON e.call_id = $2 AND e.department_id = $3
  WHERE p.tenant_id = $1 AND p.state = 'available'
    AND p.user_id IN (SELECT m.user_id FROM department_members m WHERE m.department_id = $3
                      UNION ALL SELECT e.reserved_user_id)
    AND (e.reserved_user_id IS NULL OR p.user_id = e.reserved_user_id OR NOT ${IS_REACHABLE})
    AND (p.user_id = e.reserved_user_id IS TRUE OR NOT EXISTS (
      SELECT FROM unnest(e.skill_ids, e.min_levels) AS needed (skill_id, min_level) WHERE NOT EXISTS (
        SELECT FROM user_skills s
        WHERE s.user_id = p.user_id AND s.skill_id = needed.skill_id AND s.level >= needed.min_level)))
    AND NOT EXISTS (SELECT FROM offer_exclusions x
      WHERE x.call_id = $2 AND x.user_id = p.user_id AND x.until > $4 OFFSET 0)
  ORDER BY (p.user_id = e.reserved_user_id) DESC NULLS LAST, p.idle_since, p.user_id`;

const INSERT_OFFER = `INSERT INTO offers (tenant_id, call_id, department_id, user_id, kind, status, offered_at, expires_at,
    available_since)
  SELECT $1, $2, $3, s.user_id, 'line', 'pending', $4, $4::timestamptz + interval '20 s', p.idle_since
  FROM agent_states s JOIN presences p ON p.user_id = s.user_id
  WHERE s.user_id = $5 AND s.state = 'available' AND s.active
    AND EXISTS (SELECT FROM line_entries e WHERE e.call_id = $2 AND e.department_id = $3 AND e.present)
  ON CONFLICT DO NOTHING RETURNING id`;

const ANNOUNCE = `UPDATE presences p SET announced = s.presence, state = s.state, state_reason = s.reason, state_since = $2
  FROM agent_states s WHERE p.user_id = $1 AND s.user_id = p.user_id
    AND (p.state, p.announced) IS DISTINCT FROM (s.state, s.presence) RETURNING s.state`;

/** The statements of one offer, with their names: find, then the transaction that claims the call. */
export const statements = {
  find: (tenantId, userId) => findCallStatement(tenantId, userId, new Date()),
  lockCall: (tenantId, { call_id, department_id }, at) => ({
    name: 'lock-call',
    text: LOCK_CALL,
    values: [tenantId, call_id, department_id, at],
  }),
  lockAgent: (tenantId, { call_id, department_id }, at) => ({
    name: 'lock-agent',
    text: `${AGENTS_OF_CALL} LIMIT 1 FOR NO KEY UPDATE OF p SKIP LOCKED`,
    values: [tenantId, call_id, department_id, at],
  }),
  candidates: (tenantId, { call_id, department_id }, at) => ({
    name: 'candidates',
    text: `${AGENTS_OF_CALL} LIMIT 10`,
    values: [tenantId, call_id, department_id, at],
  }),
  insertOffer: (tenantId, { call_id, department_id }, at, userId) => ({
    name: 'insert-offer',
    text: INSERT_OFFER,
    values: [tenantId, call_id, department_id, at, userId],
  }),
  announce: (userId, at) => ({ name: 'announce', text: ANNOUNCE, values: [userId, at] }),
};

/** Finds a call for the agent in one round trip. @param client pipelined @returns undefined if there is none */
export async function find(client, tenantId, userId) {
  const results = await Promise.all([
    client.query('BEGIN READ ONLY'),
    client.query(SCOPE(tenantId)),
    client.query(statements.find(tenantId, userId)),
    client.query('COMMIT'),
  ]);
  return results[2].rows[0];
}

/** Offers the call to the best agent in three round trips. @returns 'offered', 'gone' or 'no_agent' */
export async function claim(client, tenantId, found) {
  const at = new Date();
  const [, , locked, best] = await Promise.all([
    client.query('BEGIN'),
    client.query(SCOPE(tenantId)),
    client.query(statements.lockCall(tenantId, found, at)),
    client.query(statements.lockAgent(tenantId, found, at)),
    client.query(statements.candidates(tenantId, found, at)),
  ]);
  const userId = best.rows[0]?.user_id;
  if (locked.rows.length === 0 || !userId) {
    await client.query('ROLLBACK');
    return locked.rows.length === 0 ? 'gone' : 'no_agent';
  }
  const [inserted] = await Promise.all([
    client.query(statements.insertOffer(tenantId, found, at, userId)),
    client.query(statements.announce(userId, at)),
  ]);
  await client.query(inserted.rows.length > 0 ? 'COMMIT' : 'ROLLBACK');
  return inserted.rows.length > 0 ? 'offered' : 'gone';
}

/** @returns the lines of EXPLAIN (ANALYZE, BUFFERS) of the statement in the tenant's scope, under the role of the client */
export async function explain(client, tenantId, { text, values }) {
  try {
    await client.query('BEGIN');
    await client.query(SCOPE(tenantId));
    const { rows } = await client.query({ text: `EXPLAIN (ANALYZE, BUFFERS) ${text}`, values });
    return rows.map((line) => line['QUERY PLAN']);
  } finally {
    await client.query('ROLLBACK');
  }
}
