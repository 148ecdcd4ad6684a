import { callsInLines, RANK_COLUMNS } from './line-sql';
import { rankOf } from './queue-order';

/** How many completed calls of a department its mean handle time is computed from. */
const RECENT_CALLS = 50;

/** The mean handle time of the department `d`. */
const HANDLE_TIME_SQL = `
  (SELECT avg(recent.duration)::float8 FROM (
     SELECT c.duration FROM calls c
     WHERE c.tenant_id = d.tenant_id AND c.department_id = d.id AND c.status = 'completed'
       AND c.duration IS NOT NULL
     ORDER BY c.completed_at DESC LIMIT ${RECENT_CALLS}) recent)`;

/** The skills that the row of a line entry requires: an item of a FROM list with the columns skill_id and min_level. */
export const skillsOfEntry = (entry: string) => `unnest(${entry}.skill_ids, ${entry}.min_levels)`;

/** As skillsOfEntry, for the calls that will join through a link. */
export const skillsOfLink = (linkId: string) =>
  `(SELECT k.skill_id, k.min_level FROM access_link_skills k WHERE k.access_link_id = ${linkId})`;

const haveSkills = (skills: string) => `
     AND NOT EXISTS (SELECT FROM ${skills} AS required (skill_id, min_level) WHERE NOT EXISTS (
       SELECT FROM user_skills s
       WHERE s.user_id = m.user_id AND s.skill_id = required.skill_id AND s.level >= required.min_level))`;

/**
 * The agents who serve a call in the department `d`, as an item of a FROM list with the columns of LineAgents: its active
 * members who are online or busy.
 * @param skills that they must have, as an item of a FROM list; by default none
 * @param ahead the calls ahead in their lines, by the array of these lines; by default they are not counted
 */
export const lineAgentsSql = (skills?: string, ahead?: (lines: string) => string) => `(
  SELECT COALESCE(json_agg(json_build_object('agents', g.agents, 'others', g.others
      ${ahead ? `, 'ahead', CASE WHEN g.others <> '{}' THEN ${ahead('d.id || g.others')} END` : ''})), '[]') AS groups,
    COALESCE(sum(g.agents), 0)::int AS online_agents, COALESCE(sum(g.idle), 0)::int AS idle_agents
  FROM (
    SELECT s.others, count(*) AS agents, count(*) FILTER (WHERE p.state = 'available') AS idle
    FROM department_members m
      JOIN users u ON u.id = m.user_id AND u.active
      JOIN presences p ON p.user_id = m.user_id
      CROSS JOIN LATERAL (SELECT ARRAY(SELECT o.department_id FROM department_members o
        WHERE o.user_id = m.user_id AND o.department_id <> d.id ORDER BY o.department_id) AS others) s
    WHERE m.department_id = d.id AND p.announced IN ('online', 'busy')${skills ? haveSkills(skills) : ''}
    GROUP BY s.others) g)`;

/** The calls of these lines that are ahead of the call `c`. Who stands in two of them counts once. */
export const aheadOf = (call: string) => (lines: string) =>
  `(SELECT count(*)::int FROM ${callsInLines(`${call}.tenant_id`, lines, RANK_COLUMNS)} q
    WHERE ${rankOf('q')} < ${rankOf(call)})`;

/** The columns of LineRate, of agents `a` (lineAgentsSql). The mean handle time is read only if no agent is reachable. */
export const LINE_RATE_COLUMNS = `a.groups, a.online_agents, a.idle_agents,
  CASE WHEN a.online_agents = 0 THEN ${HANDLE_TIME_SQL} END AS mean_handle_time`;

/**
 * The waiting calls of a line that are being offered, as a FROM list with the call `q`. It reads the pending offers of the
 * company, which are fewer than its agents.
 */
export const offeredCalls = (tenant: string, department: string) => `offers f JOIN calls q ON q.id = f.call_id
  WHERE f.tenant_id = ${tenant} AND f.status = 'pending' AND q.status = 'queued'
    AND (q.department_id = ${department} OR q.overflow_department_id = ${department})`;
