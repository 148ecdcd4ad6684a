// The statements by which a waiting call is found for an agent and offered to them, without the service.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { findCallStatement } = require('../../dist/src/routing/dispatch/find-call.js');

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
const statements = {
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
async function find(client, tenantId, userId) {
  const results = await Promise.all([
    client.query('BEGIN READ ONLY'),
    client.query(SCOPE(tenantId)),
    client.query(statements.find(tenantId, userId)),
    client.query('COMMIT'),
  ]);
  return results[2].rows[0];
}

/** Offers the call to the best agent in three round trips. @returns 'offered', 'gone' or 'no_agent' */
async function claim(client, tenantId, found) {
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

/**
 * Offers a call to each of the agents, one after another.
 * @param client pipelined
 * @returns offers per second
 */
export async function offerCalls(client, tenantId, agents) {
  const begin = performance.now();
  let offers = 0;
  for (const agent of agents) {
    const found = await find(client, tenantId, agent);
    if (found && (await claim(client, tenantId, found)) === 'offered') offers++;
  }
  return (offers * 1000) / (performance.now() - begin);
}
