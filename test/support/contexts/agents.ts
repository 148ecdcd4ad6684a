import { expectStatus, type TestTenant } from '../builders';
import type { Json } from '../http/api';
import type { TestApp } from '../test-app';

/** The row of an agent in presences. */
export async function agentRow({ db }: TestApp, userId: string): Promise<Json> {
  const { rows } = await db.query('SELECT * FROM presences WHERE user_id = $1', [userId]);
  return rows[0];
}

/** The agent in the list that supervisors see. */
export async function agentOf({ owner }: TestTenant, userId: string): Promise<Json> {
  const answer = await owner.api.get('/api/v1/agents');
  expectStatus(answer, 200);
  return answer.body.data.find(({ user_id }: Json) => user_id === userId);
}

/** The events of the agent's states, the oldest first. */
export async function stateEventsOf({ db }: TestApp, userId: string): Promise<Json[]> {
  const { rows } = await db.query(
    `SELECT payload FROM domain_events WHERE type = 'agent.state_changed' AND subject_id = $1 ORDER BY id`,
    [userId],
  );
  return rows.map(({ payload }: Json) => payload);
}

/** Puts the agent into wrap-up by SQL. */
export async function beginWrapUp({ db, clock }: TestApp, userId: string, seconds = 60): Promise<void> {
  await db.query(
    `UPDATE presences SET wrap_up_started_at = $2::timestamptz, wrap_up_until = $2::timestamptz + make_interval(secs => $3) WHERE user_id = $1`,
    [userId, clock.now(), seconds],
  );
}

/**
 * Checks that what was announced of each agent of the tenant is what the view shows, and that their open period has it; an
 * agent who is offline has none.
 */
export async function expectAnnounced({ db }: TestApp, tenantId: string): Promise<void> {
  const { rows: stale } = await db.query(
    `SELECT p.user_id, p.state, s.state AS shown FROM presences p JOIN agent_states s ON s.user_id = p.user_id
     WHERE p.tenant_id = $1
       AND (p.state, p.state_reason, p.announced) IS DISTINCT FROM (s.state, s.reason, s.presence)`,
    [tenantId],
  );
  expect(stale).toEqual([]);
  const { rows: unrecorded } = await db.query(
    `SELECT p.user_id, p.state, o.state AS recorded FROM presences p
       LEFT JOIN presence_periods o ON o.user_id = p.user_id AND o.ended_at = 'infinity'
     WHERE p.tenant_id = $1 AND (NULLIF(p.announced, 'offline'), CASE WHEN p.announced <> 'offline' THEN p.state END)
       IS DISTINCT FROM (o.presence, o.state)`,
    [tenantId],
  );
  expect(unrecorded).toEqual([]);
}
