import { CALL_LIST_COLUMNS, CALLBACK_COLUMN } from '../call.columns';
import { QUEUE_ORDER_SQL, rankOf } from './queue-order';
import { onlineAgentsSql, serviceRateSql, skillsOfEntry } from './service-rate';

/** A transferred call waits in its department since the transfer, not since the customer joined. */
const WAITS_SINCE_SQL = 'GREATEST(c.inserted_at, c.transferred_at)';

export const COUNTS_SQL = (
  department: string,
) => `SELECT count(*)::int AS queue_size, min(${WAITS_SINCE_SQL}) AS longest_waits_since
  FROM calls c WHERE c.tenant_id = $1 AND c.department_id = ${department} AND c.status = 'queued'`;

/** Reads the first $3 calls of each of the departments $2 by the index of their order, and counts the others. */
export const FIRST_CALLS_SQL = `SELECT first.*, counts.* FROM unnest($2::uuid[]) AS asked (id)
    CROSS JOIN LATERAL (${COUNTS_SQL('asked.id')}) counts
    CROSS JOIN LATERAL (
      SELECT ${CALL_LIST_COLUMNS}, c.absent_since,
        CASE WHEN c.client_address IS NULL THEN 1 ELSE (
          SELECT count(*)::int FROM calls same WHERE same.tenant_id = $1 AND same.department_id = asked.id
            AND same.status = 'queued' AND same.client_address = c.client_address) END AS calls_from_address,
        row_number() OVER line::int AS position
      FROM calls c WHERE c.tenant_id = $1 AND c.department_id = asked.id AND c.status = 'queued'
      WINDOW line AS (ORDER BY ${QUEUE_ORDER_SQL})
      ORDER BY ${QUEUE_ORDER_SQL} LIMIT $3) first
  ORDER BY first.department_id, first.position`;

/**
 * Until when a customer is present without a socket, in the line or if the call returns to it. Infinite times, which JSON
 * does not have, are avoided.
 */
export const PRESENT_UNTIL_SQL = `CASE WHEN d.routing <> 'automatic' THEN NULL
    WHEN c.absence_deadline IS NOT NULL THEN (
      SELECT GREATEST(e.present_until, c.inserted_at) FROM line_entries e
      WHERE e.call_id = c.id AND e.department_id = c.department_id)
    WHEN c.status = 'assigned' THEN GREATEST(c.seen_at + interval '30 s', c.inserted_at) END AS present_until`;

export const POSITION_SQL = `SELECT c.id AS call_id, c.status, c.version, ${CALLBACK_COLUMN} AS callback,
    ${serviceRateSql(skillsOfEntry('e'))},
    queue.position, queue.queue_size
  FROM calls c LEFT JOIN departments d ON d.id = c.department_id
    LEFT JOIN line_entries e ON e.call_id = c.id AND e.department_id = c.department_id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS queue_size, count(*) FILTER (WHERE ${rankOf('q')} <= ${rankOf('c')})::int AS position
      FROM calls q
      WHERE c.status = 'queued' AND q.tenant_id = c.tenant_id AND q.department_id = c.department_id
        AND q.status = 'queued') queue
  WHERE c.id = $1`;

/** The positions of several calls of a tenant. */
export const POSITIONS_SQL = `WITH asked AS MATERIALIZED (
    SELECT c.id, c.status, c.version, c.department_id, ${CALLBACK_COLUMN} AS callback, COALESCE(e.skill_ids, '{}') AS skill_ids,
      COALESCE(e.min_levels, '{}') AS min_levels
    FROM calls c LEFT JOIN line_entries e ON e.call_id = c.id AND e.department_id = c.department_id
    WHERE c.tenant_id = $1 AND c.id = ANY ($2)),
  asked_departments AS MATERIALIZED (SELECT DISTINCT department_id AS id FROM asked WHERE status = 'queued'),
  rates AS MATERIALIZED (
    SELECT d.id, asked_skills.skill_ids, asked_skills.min_levels, ${serviceRateSql(skillsOfEntry('asked_skills'))}
    FROM (SELECT DISTINCT department_id, skill_ids, min_levels FROM asked WHERE status = 'queued') asked_skills
      JOIN departments d ON d.tenant_id = $1 AND d.id = asked_skills.department_id),
  positions AS MATERIALIZED (
    SELECT q.id, row_number() OVER line::int AS position, count(*) OVER department::int AS queue_size
    FROM asked_departments JOIN calls q
      ON q.tenant_id = $1 AND q.department_id = asked_departments.id AND q.status = 'queued'
    WINDOW department AS (PARTITION BY q.department_id), line AS (department ORDER BY ${QUEUE_ORDER_SQL}))
  SELECT c.id AS call_id, c.status, c.version, c.callback, r.mean_handle_time, r.online_agents,
    COALESCE(p.position, 0) AS position, COALESCE(p.queue_size, 0) AS queue_size
  FROM asked c LEFT JOIN positions p ON p.id = c.id LEFT JOIN rates r
    ON r.id = c.department_id AND r.skill_ids = c.skill_ids AND r.min_levels = c.min_levels`;

/**
 * The agents for the calls of a department that require skills, by combination of skills: one index range, which is empty
 * for most departments. Calls of customers who are absent are left out, and have no socket.
 */
export const SKILLED_CALLS_SQL = `SELECT l.ids, ${onlineAgentsSql(skillsOfEntry('l'))}
  FROM departments d CROSS JOIN LATERAL (
    SELECT e.skill_ids, e.min_levels, string_agg(e.call_id::text, ',') AS ids FROM line_entries e
    WHERE e.department_id = d.id AND e.present AND e.lane > '00000000-0000-0000-0000-000000000000'
      AND e.skill_ids <> '{}'
    GROUP BY e.skill_ids, e.min_levels) l
  WHERE d.tenant_id = $1 AND d.id = $2`;
