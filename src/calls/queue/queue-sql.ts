import { HOURS_SQL } from '../../departments/hours/department-hours.rules';
import { CALL_LIST_COLUMNS } from '../call.columns';
import { LINE_RATE_COLUMNS, lineAgentsSql, offeredCalls, skillsOfEntry } from './line-agents';
import { callsInLine, callsInLines, firstCallsInLine, RANK_COLUMNS, suspendedLimit } from './line-sql';
import { QUEUE_ORDER_SQL } from './queue-order';

/** A transferred call waits in its department since the transfer, not since the customer joined. */
const WAITS_SINCE_SQL = 'GREATEST(c.inserted_at, c.transferred_at)';

/** Of the line of a department, with the calls that overflowed to it. Customers who will be called back chose to wait. */
export const COUNTS_SQL = (department: string) => `SELECT d.name AS line_name, ${HOURS_SQL}, line.*
  FROM (SELECT count(*)::int AS queue_size, min(${WAITS_SINCE_SQL}) FILTER (
      WHERE c.callback_status IS NULL OR c.callback_status NOT IN ('requested', 'invited')) AS longest_waits_since
    FROM ${callsInLine('$1', department, 'inserted_at, transferred_at, callback_status')} c) line
  LEFT JOIN departments d ON d.tenant_id = $1 AND d.id = ${department}`;

/**
 * Reads the first $3 calls in the lines of each of the departments $2 by the indexes of their order, and counts the others. An
 * empty line is one row without a call. The first row of a line has the opening hours: these can be long.
 */
export const FIRST_CALLS_SQL = `SELECT first.*, asked.id AS line_department_id, counts.line_name, counts.queue_size,
      counts.longest_waits_since, counts.tenant_timezone,
      CASE WHEN first.position > 1 THEN NULL ELSE counts.opening_hours END AS opening_hours
    FROM unnest($2::uuid[]) AS asked (id)
    CROSS JOIN LATERAL (${COUNTS_SQL('asked.id')}) counts
    LEFT JOIN LATERAL (
      SELECT ${CALL_LIST_COLUMNS}, c.absent_since, c.priority, c.required_skills AS skills,
        CASE WHEN c.client_address IS NULL THEN 1 ELSE (
          SELECT count(*)::int FROM calls same WHERE same.tenant_id = $1 AND same.department_id = c.department_id
            AND same.status = 'queued' AND same.client_address = c.client_address) END AS calls_from_address,
        row_number() OVER line::int AS position
      FROM ${firstCallsInLine('$1', 'asked.id', '$3')} c
      WINDOW line AS (ORDER BY ${QUEUE_ORDER_SQL})
      ORDER BY ${QUEUE_ORDER_SQL} LIMIT $3) first ON true
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

/** The ordinal numbers, in `lines.others`, of the lines in which a call of another line stands. */
const OTHER_LINES = `concat_ws('+', array_position(lines.others, department_id),
  array_position(lines.others, overflow_department_id))`;

const LINE_COLUMNS = `id, tenant_id, version, inserted_at, wait_deadline, department_id, overflow_department_id, ${RANK_COLUMNS}`;

const epochMs = (time: string) => `(date_part('epoch', ${time}) * 1000)::bigint`;

/**
 * The line of the department $2: who serves it, and its waiting calls in queue order. Between these are the calls in the
 * other lines of its agents, if they have any. PostgreSQL joins the calls to one text: reading thousands of rows would take
 * the event loop several times as long.
 * @param hasJoins whether the calls have the times of their joins, which not every estimator needs
 */
export const lineSql = (hasJoins: boolean) => `WITH rate AS MATERIALIZED (
    SELECT ${LINE_RATE_COLUMNS} FROM departments d CROSS JOIN LATERAL ${lineAgentsSql()} a
    WHERE d.tenant_id = $1 AND d.id = $2),
  lines AS MATERIALIZED (
    SELECT ARRAY(SELECT DISTINCT o.id FROM json_to_recordset(rate.groups) AS g (others uuid[])
      CROSS JOIN LATERAL unnest(g.others) AS o (id)) AS others FROM rate)
  SELECT rate.*, lines.others, line.*, (
      SELECT string_agg(q.id::text, ',') FROM ${offeredCalls('$1', '$2')}) AS offered
  FROM rate CROSS JOIN lines CROSS JOIN LATERAL (
    SELECT string_agg(q.text, ',' ORDER BY ${QUEUE_ORDER_SQL}) AS calls,
      string_agg(q.overflowed::text, ',') AS overflowed
    FROM (
      SELECT concat_ws(' ', id, version, COALESCE(${epochMs('wait_deadline')}, -1000 * ${suspendedLimit('own')})
          ${hasJoins ? `, ${epochMs('inserted_at')}` : ''}) AS text,
        CASE WHEN overflow_department_id IS NOT NULL THEN id END AS overflowed, ${RANK_COLUMNS}
      FROM ${callsInLine('$1', '$2', LINE_COLUMNS)} own
      UNION ALL
      SELECT ${OTHER_LINES}, NULL, ${RANK_COLUMNS}
      FROM ${callsInLines('$1', 'lines.others', LINE_COLUMNS)} other
      WHERE lines.others <> '{}' AND department_id <> $2 AND overflow_department_id IS DISTINCT FROM $2) q) line`;

/**
 * The agents for the calls of a department that require skills, by combination of skills: one index range, which is empty
 * for most departments, and another one for customers who are called back: these may have a socket, and their estimate
 * decides when they are invited. Other calls of customers who are absent are left out, and have no socket.
 */
export const SKILLED_CALLS_SQL = `SELECT l.ids, ${LINE_RATE_COLUMNS}
  FROM departments d CROSS JOIN LATERAL (
    SELECT e.skill_ids, e.min_levels, string_agg(e.call_id::text, ',') AS ids FROM (
      SELECT p.call_id, p.skill_ids, p.min_levels FROM line_entries p
      WHERE p.department_id = d.id AND p.present AND p.lane > '00000000-0000-0000-0000-000000000000'
        AND p.skill_ids <> '{}'
      UNION ALL
      SELECT a.call_id, a.skill_ids, a.min_levels FROM line_entries a
      WHERE a.department_id = d.id AND a.awaits_callback AND a.skill_ids <> '{}') e
    GROUP BY e.skill_ids, e.min_levels) l
    CROSS JOIN LATERAL ${lineAgentsSql(skillsOfEntry('l'))} a
  WHERE d.tenant_id = $1 AND d.id = $2`;
