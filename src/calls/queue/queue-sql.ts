import { CALL_LIST_COLUMNS } from '../call.columns';
import { callsInLine, firstCallsInLine, RANK_COLUMNS } from './line-sql';
import { QUEUE_ORDER_SQL, rankOf } from './queue-order';
import { onlineAgentsSql, serviceRateSql, skillsOfEntry } from './service-rate';

/** A transferred call waits in its department since the transfer, not since the customer joined. */
const WAITS_SINCE_SQL = 'GREATEST(c.inserted_at, c.transferred_at)';

/** Of the line of a department, with the calls that overflowed to it. */
export const COUNTS_SQL = (
  department: string,
) => `SELECT count(*)::int AS queue_size, min(${WAITS_SINCE_SQL}) AS longest_waits_since
  FROM ${callsInLine('$1', department, 'inserted_at, transferred_at')} c`;

/**
 * Reads the first $3 calls in the lines of each of the departments $2 by the indexes of their order, and counts the others.
 */
export const FIRST_CALLS_SQL = `SELECT first.*, asked.id AS line_department_id, counts.* FROM unnest($2::uuid[]) AS asked (id)
    CROSS JOIN LATERAL (${COUNTS_SQL('asked.id')}) counts
    CROSS JOIN LATERAL (
      SELECT ${CALL_LIST_COLUMNS}, c.absent_since,
        CASE WHEN c.client_address IS NULL THEN 1 ELSE (
          SELECT count(*)::int FROM calls same WHERE same.tenant_id = $1 AND same.department_id = c.department_id
            AND same.status = 'queued' AND same.client_address = c.client_address) END AS calls_from_address,
        row_number() OVER line::int AS position
      FROM ${firstCallsInLine('$1', 'asked.id', '$3')} c
      WINDOW line AS (ORDER BY ${QUEUE_ORDER_SQL})
      ORDER BY ${QUEUE_ORDER_SQL} LIMIT $3) first
  ORDER BY asked.id, first.position`;

/**
 * Until when a customer is present without a socket, in the line or if the call returns to it. Infinite times, which JSON
 * does not have, are avoided.
 */
export const PRESENT_UNTIL_SQL = `CASE WHEN d.routing <> 'automatic' AND (c.overflow_department_id IS NULL OR NOT EXISTS (
      SELECT FROM departments o WHERE o.id = c.overflow_department_id AND o.routing = 'automatic')) THEN NULL
    WHEN c.absence_deadline IS NOT NULL THEN (
      SELECT GREATEST(e.present_until, c.inserted_at) FROM line_entries e
      WHERE e.call_id = c.id AND e.department_id = c.department_id)
    WHEN c.status = 'assigned' THEN GREATEST(c.seen_at + interval '30 s', c.inserted_at) END AS present_until`;

/** The lines in which the call `c` stands: that of its department comes first if its position is the same in both. */
const LINES_OF_CALL = `(
    SELECT c.department_id AS department_id, 1 AS place
    UNION ALL
    SELECT c.overflow_department_id, 2 WHERE c.overflow_department_id IS NOT NULL AND c.status = 'queued')`;

/** A call that stands in two lines has the better of its positions, with the estimate and the size of that line. */
export const POSITION_SQL = `SELECT c.id AS call_id, c.status, c.version, best.*
  FROM calls c CROSS JOIN LATERAL (
    SELECT ${serviceRateSql(skillsOfEntry('e'))}, queue.position, queue.queue_size
    FROM ${LINES_OF_CALL} l LEFT JOIN departments d ON d.id = l.department_id
      LEFT JOIN line_entries e ON e.call_id = c.id AND e.department_id = l.department_id
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS queue_size, count(*) FILTER (WHERE ${rankOf('q')} <= ${rankOf('c')})::int AS position
        FROM ${callsInLine('c.tenant_id', 'l.department_id', RANK_COLUMNS)} q WHERE c.status = 'queued') queue
    ORDER BY queue.position, l.place LIMIT 1) best
  WHERE c.id = $1`;

/**
 * The positions of several calls of a tenant: as POSITION_SQL, but each line is read once. The calls are picked out of their lines
 * by a hash of their ids: for a join PostgreSQL may expect short lines, and compare each call with each position.
 */
export const POSITIONS_SQL = `WITH asked AS MATERIALIZED (
    SELECT id, status, version, department_id, overflow_department_id FROM calls WHERE tenant_id = $1 AND id = ANY ($2)),
  asked_departments AS MATERIALIZED (
    SELECT department_id AS id FROM asked WHERE status = 'queued'
    UNION SELECT overflow_department_id FROM asked WHERE status = 'queued' AND overflow_department_id IS NOT NULL),
  lines AS (
    SELECT l.id AS department_id, 1 AS place, q.id, q.version, ${RANK_COLUMNS} FROM asked_departments l JOIN calls q
      ON q.tenant_id = $1 AND q.department_id = l.id AND q.status = 'queued'
    UNION ALL
    SELECT l.id AS department_id, 2, q.id, q.version, ${RANK_COLUMNS} FROM asked_departments l JOIN calls q
      ON q.tenant_id = $1 AND q.overflow_department_id = l.id AND q.ended_at IS NULL AND q.status = 'queued'),
  numbered AS MATERIALIZED (
    SELECT department_id, place, id, version, id IN (SELECT asked.id FROM asked) AS is_asked,
      row_number() OVER line::int AS position, count(*) OVER department::int AS queue_size
    FROM lines WINDOW department AS (PARTITION BY department_id), line AS (department ORDER BY ${QUEUE_ORDER_SQL})),
  positions AS MATERIALIZED (
    SELECT n.*, COALESCE(e.skill_ids, '{}') AS skill_ids, COALESCE(e.min_levels, '{}') AS min_levels
    FROM numbered n LEFT JOIN line_entries e ON e.call_id = n.id AND e.department_id = n.department_id WHERE n.is_asked),
  rates AS MATERIALIZED (
    SELECT d.id, asked_skills.skill_ids, asked_skills.min_levels, ${serviceRateSql(skillsOfEntry('asked_skills'))}
    FROM (SELECT DISTINCT department_id, skill_ids, min_levels FROM positions) asked_skills
      JOIN departments d ON d.tenant_id = $1 AND d.id = asked_skills.department_id)
  SELECT id AS call_id, status, version, NULL AS mean_handle_time, 0 AS online_agents, 0 AS position, 0 AS queue_size
  FROM asked WHERE status <> 'queued'
  UNION ALL
  (SELECT DISTINCT ON (p.id) p.id, 'queued', p.version, r.mean_handle_time, r.online_agents, p.position, p.queue_size
   FROM positions p LEFT JOIN rates r
     ON r.id = p.department_id AND r.skill_ids = p.skill_ids AND r.min_levels = p.min_levels
   ORDER BY p.id, p.position, p.place)`;

/**
 * The waiting calls $2 of a department's line in queue order. PostgreSQL joins the ids to one text: reading thousands of rows
 * would take the event loop several times as long.
 */
export const LINE_SQL = `SELECT string_agg(id::text, ',' ORDER BY ${QUEUE_ORDER_SQL}) AS ids,
    string_agg(version::text, ',' ORDER BY ${QUEUE_ORDER_SQL}) AS versions,
    string_agg(id::text, ',') FILTER (WHERE overflow_department_id IS NOT NULL) AS overflowed
  FROM ${callsInLine('$1', '$2', `id, version, overflow_department_id, ${RANK_COLUMNS}`)} q`;

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
