// The statements of the service that find a waiting call for an agent and offer it to them, and no others: no events, no
// timeline, no limits of plans.
import { createRequire } from 'node:module';
import { settingsText } from './sides.mjs';

const require = createRequire(import.meta.url);
const { GENERIC_PLAN } = require('../../dist/src/platform/database/statement.js');
const { announcement } = require('../../dist/src/routing/agents/announcement.js');
const { lockCallStatement } = require('../../dist/src/routing/dispatch/claim-call.js');
const { findCallStatement } = require('../../dist/src/routing/dispatch/find-call.js');
const { lockAgentStatement } = require('../../dist/src/routing/offers/select-agent.js');

const SCOPE = (tenantId) => ({
  name: 'scope',
  text: `SELECT set_config('app.tenant_id', $1, true)`,
  values: [tenantId],
});

const INSERT_OFFER = `INSERT INTO offers (tenant_id, call_id, department_id, user_id, kind, status, offered_at, expires_at,
    available_since)
  SELECT $1, $2, $3, s.user_id, 'line', 'pending', $4, $4::timestamptz + interval '20 s', p.idle_since
  FROM agent_states s JOIN presences p ON p.user_id = s.user_id
  WHERE s.user_id = $5 AND s.state = 'available' AND s.active
    AND EXISTS (SELECT FROM line_entries e WHERE e.call_id = $2 AND e.department_id = $3 AND e.present)
  ON CONFLICT DO NOTHING RETURNING id`;

/** Finds a call for the agent in one round trip. @param client pipelined @returns undefined if there is none */
async function find(client, tenantId, userId) {
  const results = await Promise.all([
    client.query('BEGIN READ ONLY'),
    client.query(SCOPE(tenantId)),
    client.query({ name: 'generic-plan', text: settingsText(GENERIC_PLAN) }),
    client.query(findCallStatement(tenantId, userId, new Date())),
    client.query('COMMIT'),
  ]);
  return results[3].rows[0];
}

/** Offers the call to the best agent in three round trips. @returns whether it did */
async function claim(client, tenantId, found) {
  const now = new Date();
  const call = { tenant_id: tenantId, ...found };
  const userId = found.candidates[0].user_id;
  const [, , locked, agent] = await Promise.all([
    client.query('BEGIN'),
    client.query(SCOPE(tenantId)),
    client.query({ name: 'lock-call', ...lockCallStatement(call, now) }),
    client.query({ name: 'lock-agent', ...lockAgentStatement(call, userId, now) }),
  ]);
  if (locked.rows.length === 0 || agent.rows.length === 0) {
    await client.query('ROLLBACK');
    return false;
  }
  const { call_id, department_id } = found;
  const [inserted] = await Promise.all([
    client.query({
      name: 'insert-offer',
      text: INSERT_OFFER,
      values: [tenantId, call_id, department_id, now, userId],
    }),
    client.query({ name: 'announce', ...announcement([userId], now) }),
  ]);
  await client.query(inserted.rows.length > 0 ? 'COMMIT' : 'ROLLBACK');
  return inserted.rows.length > 0;
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
    if (found && (await claim(client, tenantId, found))) offers++;
  }
  return (offers * 1000) / (performance.now() - begin);
}
