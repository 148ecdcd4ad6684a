import { GENERIC_PLAN, type Statement } from '../../platform/database/statement';
import { isOffered, isReachable } from '../offers/eligibility-sql';

/** Agents that one statement compares with the lanes of their departments. */
export const BATCH = 500;

/** An entry `e` whose call can be offered now. */
const IS_FREE = `e.present AND e.present_until > $1 AND NOT ${isOffered('e.tenant_id', 'e.call_id')}`;

const LANE = `SELECT e.department_id, e.lane, e.reserved_user_id, e.skill_ids, e.min_levels FROM line_entries e`;

/**
 * The available agents after the agent $3 of the tenant $2, in the order of the index by which they are found, and whether
 * they can take a waiting call. The lanes of all their departments are read once, by jumping from one to the next (a loose
 * index scan), and joined with the skills of the agents. So the cost grows with the agents and with the kinds of calls, but
 * neither with their product nor with the length of the lines. To search a call for each agent in turn would take seconds,
 * because most agents who are available while calls wait can take none of them.
 *
 * A call that an agent has just declined counts as one that they can take: the search for the agent decides.
 * @param condition of the presence `p`, followed by AND
 */
const waitingAgents = (condition: string) => `WITH RECURSIVE agents AS MATERIALIZED (
    SELECT p.tenant_id, p.user_id FROM presences p JOIN tenants t ON t.id = p.tenant_id AND t.suspended_at IS NULL
    WHERE ${condition} p.state = 'available' AND (p.tenant_id, p.user_id) > ($2, $3)
    ORDER BY p.tenant_id, p.user_id LIMIT ${BATCH}),
  mine AS MATERIALIZED (
    SELECT a.user_id, m.department_id FROM agents a JOIN department_members m ON m.user_id = a.user_id
      JOIN departments d ON d.tenant_id = m.tenant_id AND d.id = m.department_id AND d.active AND d.routing = 'automatic'),
  own_skills AS MATERIALIZED (
    SELECT m.user_id, m.department_id, s.skill_id, s.level FROM mine m JOIN user_skills s ON s.user_id = m.user_id),
  lanes AS (
    SELECT f.* FROM (SELECT DISTINCT department_id FROM mine) m CROSS JOIN LATERAL (
      ${LANE} WHERE e.department_id = m.department_id AND e.present ORDER BY e.lane LIMIT 1) f
    UNION ALL
    SELECT f.* FROM lanes l CROSS JOIN LATERAL (
      ${LANE} WHERE e.department_id = l.department_id AND e.present AND e.lane > l.lane ORDER BY e.lane LIMIT 1) f),
  open_lanes AS MATERIALIZED (
    SELECT l.department_id, l.lane, l.skill_ids, l.min_levels FROM lanes l
    WHERE (l.reserved_user_id IS NULL OR NOT ${isReachable('l.reserved_user_id')}) AND EXISTS (
      SELECT FROM line_entries e WHERE e.department_id = l.department_id AND e.lane = l.lane AND ${IS_FREE} OFFSET 0)),
  served AS (
    SELECT m.user_id FROM mine m
    WHERE m.department_id IN (SELECT l.department_id FROM open_lanes l WHERE l.skill_ids = '{}')
    UNION
    SELECT s.user_id FROM open_lanes l CROSS JOIN LATERAL unnest(l.skill_ids, l.min_levels) AS needed (skill_id, min_level)
      JOIN own_skills s ON s.department_id = l.department_id AND s.skill_id = needed.skill_id
        AND s.level >= needed.min_level
    GROUP BY l.department_id, l.lane, s.user_id HAVING count(*) = min(cardinality(l.skill_ids))
    UNION
    -- A call that is reserved for the agent can wait in a department they do not belong to.
    SELECT a.user_id FROM agents a WHERE EXISTS (
      SELECT FROM line_entries e WHERE e.reserved_user_id = a.user_id AND ${IS_FREE} AND EXISTS (
        SELECT FROM departments d WHERE d.id = e.department_id AND d.active AND d.routing = 'automatic' OFFSET 0) OFFSET 0))
  SELECT a.tenant_id, a.user_id, a.user_id IN (SELECT user_id FROM served) AS is_waited_for
  FROM agents a ORDER BY a.tenant_id, a.user_id`;

const OF_ALL_TENANTS = waitingAgents('');
const OF_TENANT = waitingAgents('p.tenant_id = $2 AND');

export interface AgentId {
  tenant_id: string;
  user_id: string;
}

/** An available agent, and whether a call waits that they can take. */
export type AvailableAgent = AgentId & { is_waited_for: boolean };

/**
 * Selects the next available agents: AvailableAgent[].
 * @param after the last agent of the batch before
 * @param ofTenant whether only agents of the tenant of `after` are wanted
 */
export const availableAgentsStatement = (
  now: Date,
  { tenant_id, user_id }: AgentId,
  ofTenant: boolean,
): Statement => ({
  text: ofTenant ? OF_TENANT : OF_ALL_TENANTS,
  values: [now, tenant_id, user_id],
  settings: GENERIC_PLAN,
});
