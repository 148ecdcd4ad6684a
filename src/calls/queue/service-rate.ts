import type { ServiceRate } from './queue.rules';

/** How many completed calls of a department its service rate is computed from. */
const RECENT_CALLS = 50;

/** The mean handle time of the department `d`, as a column. */
const HANDLE_TIME_SQL = `
  (SELECT avg(recent.duration)::float8 FROM (
     SELECT c.duration FROM calls c
     WHERE c.tenant_id = d.tenant_id AND c.department_id = d.id AND c.status = 'completed'
       AND c.duration IS NOT NULL
     ORDER BY c.completed_at DESC LIMIT ${RECENT_CALLS}) recent) AS mean_handle_time`;

/** The skills that the row of a line entry requires: an item of a FROM list with the columns skill_id and min_level. */
export const skillsOfEntry = (entry: string) => `unnest(${entry}.skill_ids, ${entry}.min_levels)`;

/** As skillsOfEntry, for the calls that will join through a link. */
export const skillsOfLink = (linkId: string) =>
  `(SELECT k.skill_id, k.min_level FROM access_link_skills k WHERE k.access_link_id = ${linkId})`;

/**
 * The agents who serve a call in the department `d`, as a column: its active members who are online or busy.
 * @param skills that they must have, as an item of a FROM list; by default none
 */
export const onlineAgentsSql = (skills?: string) => `
  (SELECT count(*)::int FROM department_members m
     JOIN users u ON u.id = m.user_id AND u.active
     JOIN presences p ON p.user_id = m.user_id
   WHERE m.department_id = d.id AND p.announced IN ('online', 'busy')${skills ? haveSkills(skills) : ''}) AS online_agents`;

const haveSkills = (skills: string) => `
     AND NOT EXISTS (SELECT FROM ${skills} AS required (skill_id, min_level) WHERE NOT EXISTS (
       SELECT FROM user_skills s
       WHERE s.user_id = m.user_id AND s.skill_id = required.skill_id AND s.level >= required.min_level))`;

/** The service rate of a call in the department `d`, as columns. @param skills as in onlineAgentsSql */
export const serviceRateSql = (skills?: string) => `${HANDLE_TIME_SQL}, ${onlineAgentsSql(skills)}`;

/** The service rate of a department that does not exist. */
export const NO_RATE: ServiceRate = { mean_handle_time: null, online_agents: 0 };
