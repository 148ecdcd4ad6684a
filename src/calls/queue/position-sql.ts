import { CALLBACK_COLUMN } from '../call.columns';
import { aheadOf, LINE_RATE_COLUMNS, lineAgentsSql, offeredCalls, skillsOfEntry } from './line-agents';
import { callsInLine, callsInLines, RANK_COLUMNS, suspendedLimit } from './line-sql';
import { QUEUE_ORDER_SQL, rankOf } from './queue-order';

/** The lines in which the call `c` stands: that of its department comes first if its position is the same in both. */
const LINES_OF_CALL = `(
    SELECT c.department_id AS department_id, 1 AS place
    UNION ALL
    SELECT c.overflow_department_id, 2 WHERE c.overflow_department_id IS NOT NULL AND c.status = 'queued')`;

/** Whether the waiting call `c` is being offered. */
const isRinging = (tenant: string) => `(c.status = 'queued' AND EXISTS (SELECT FROM offers o
      WHERE o.tenant_id = ${tenant} AND o.call_id = c.id AND o.status = 'pending')) AS ringing`;

/** A call that stands in two lines has the better of its positions, with the estimate and the size of that line. */
export const POSITION_SQL = `SELECT c.id AS call_id, c.status, c.version, c.inserted_at, c.wait_deadline, c.chat_message_count,
    ${isRinging('c.tenant_id')}, ${suspendedLimit('c')} AS suspended_limit, ${CALLBACK_COLUMN} AS callback, best.*
  FROM calls c CROSS JOIN LATERAL (
    SELECT l.department_id, ${LINE_RATE_COLUMNS}, queue.position, queue.queue_size,
      CASE WHEN a.idle_agents > 0 THEN (
        SELECT count(*)::int FROM ${offeredCalls('c.tenant_id', 'l.department_id')} AND ${rankOf('q')} < ${rankOf('c')})
      ELSE 0 END AS offered
    FROM ${LINES_OF_CALL} l
      LEFT JOIN departments d ON d.id = l.department_id AND c.status = 'queued'
      LEFT JOIN line_entries e ON e.call_id = c.id AND e.department_id = l.department_id
      CROSS JOIN LATERAL ${lineAgentsSql(skillsOfEntry('e'), aheadOf('c'))} a
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS queue_size, count(*) FILTER (WHERE ${rankOf('q')} <= ${rankOf('c')})::int AS position
        FROM ${callsInLine('c.tenant_id', 'l.department_id', RANK_COLUMNS)} q WHERE c.status = 'queued') queue
    ORDER BY queue.position, l.place LIMIT 1) best
  WHERE c.id = $1`;

/** The waiting calls `q` of the tenant $1. */
const LINE_CALL = `q.id, ${RANK_COLUMNS} FROM calls q WHERE q.tenant_id = $1 AND q.status = 'queued'`;

/** A call is picked out of its lines by a hash of its id: see POSITIONS_SQL. */
const IS_ASKED = 'id IN (SELECT asked.id FROM asked)';

/**
 * The positions of several calls of a tenant: as POSITION_SQL, but each line is read once, and once more for each set of
 * lines whose agents it shares. Nothing but the position is computed for all calls of a line, because lines are long. The calls are
 * picked out of their lines by a hash of their ids: for a join PostgreSQL may expect short lines, and compare each call with each
 * position. OFFSET 0 keeps it from reading the entries of a whole line for the few of these calls.
 */
export const POSITIONS_SQL = `WITH asked AS MATERIALIZED (
    SELECT c.id, c.status, c.version, c.inserted_at, c.wait_deadline, c.department_id, c.overflow_department_id,
      c.chat_message_count, ${suspendedLimit('c')} AS suspended_limit, ${CALLBACK_COLUMN} AS callback
    FROM calls c WHERE c.tenant_id = $1 AND c.id = ANY ($2)),
  asked_departments AS MATERIALIZED (
    SELECT department_id AS id FROM asked WHERE status = 'queued'
    UNION SELECT overflow_department_id FROM asked WHERE status = 'queued' AND overflow_department_id IS NOT NULL),
  offered AS MATERIALIZED (
    SELECT o.id FROM asked_departments l CROSS JOIN LATERAL (
      SELECT q.id FROM ${offeredCalls('$1', 'l.id')}) o),
  numbered AS MATERIALIZED (
    SELECT l.id AS department_id, c.place, c.id, c.position,
      c.${IS_ASKED} AS is_asked, c.id IN (SELECT o.id FROM offered o) AS is_offered
    FROM asked_departments l CROSS JOIN LATERAL (
      SELECT id, place, row_number() OVER (ORDER BY ${QUEUE_ORDER_SQL})::int AS position FROM (
        SELECT 1 AS place, ${LINE_CALL} AND q.department_id = l.id
        UNION ALL
        SELECT 2, ${LINE_CALL} AND q.overflow_department_id = l.id AND q.ended_at IS NULL) line) c),
  sizes AS MATERIALIZED (SELECT department_id, max(position) AS queue_size FROM numbered GROUP BY department_id),
  positions AS MATERIALIZED (
    SELECT n.*, s.queue_size, COALESCE(e.skill_ids, '{}') AS skill_ids, COALESCE(e.min_levels, '{}') AS min_levels
    FROM (
      SELECT *, count(*) FILTER (WHERE is_offered) OVER (PARTITION BY department_id ORDER BY position)::int
        - is_offered::int AS offered
      FROM numbered WHERE is_asked OR is_offered) n
      JOIN sizes s ON s.department_id = n.department_id
      LEFT JOIN LATERAL (
        SELECT own.skill_ids, own.min_levels FROM line_entries own
        WHERE own.call_id = n.id AND own.department_id = n.department_id OFFSET 0) e ON true
    WHERE n.is_asked),
  rates AS MATERIALIZED (
    SELECT d.id, asked_skills.skill_ids, asked_skills.min_levels, ${LINE_RATE_COLUMNS}
    FROM (SELECT DISTINCT department_id, skill_ids, min_levels FROM positions) asked_skills
      JOIN departments d ON d.tenant_id = $1 AND d.id = asked_skills.department_id
      CROSS JOIN LATERAL ${lineAgentsSql(skillsOfEntry('asked_skills'))} a),
  shared AS MATERIALIZED (
    SELECT DISTINCT r.id AS department_id, g.others
    FROM rates r CROSS JOIN LATERAL json_to_recordset(r.groups) AS g (others uuid[]) WHERE g.others <> '{}'),
  shared_positions AS MATERIALIZED (
    SELECT * FROM (
      SELECT s.department_id, s.others, q.id, row_number() OVER line::int - 1 AS ahead
      FROM shared s CROSS JOIN LATERAL ${callsInLines('$1', 's.department_id || s.others', `id, ${RANK_COLUMNS}`)} q
      WINDOW line AS (PARTITION BY s.department_id, s.others ORDER BY ${QUEUE_ORDER_SQL})) numbered
    WHERE ${IS_ASKED}),
  best AS (
    SELECT DISTINCT ON (p.id) p.*, COALESCE(r.online_agents, 0) AS online_agents, COALESCE(r.idle_agents, 0) AS idle_agents,
      r.mean_handle_time,
      CASE WHEN EXISTS (SELECT FROM shared s WHERE s.department_id = p.department_id) THEN (
        SELECT COALESCE(json_agg(json_build_object('agents', g.agents, 'others', g.others, 'ahead', h.ahead)), '[]')
        FROM json_to_recordset(r.groups) AS g (agents int, others uuid[]) LEFT JOIN shared_positions h
          ON h.department_id = p.department_id AND h.others = g.others AND h.id = p.id)
      ELSE COALESCE(r.groups, '[]') END AS groups
    FROM positions p LEFT JOIN rates r
      ON r.id = p.department_id AND r.skill_ids = p.skill_ids AND r.min_levels = p.min_levels
    ORDER BY p.id, p.position, p.place)
  SELECT c.id AS call_id, c.status, c.version, c.inserted_at, c.wait_deadline, c.suspended_limit, c.callback,
    c.chat_message_count, ${isRinging('$1')}, COALESCE(b.department_id, c.department_id) AS department_id, b.mean_handle_time, b.groups,
    COALESCE(b.online_agents, 0) AS online_agents, COALESCE(b.idle_agents, 0) AS idle_agents,
    COALESCE(b.position, 0) AS position, COALESCE(b.queue_size, 0) AS queue_size, COALESCE(b.offered, 0) AS offered
  FROM asked c LEFT JOIN best b ON b.id = c.id`;
