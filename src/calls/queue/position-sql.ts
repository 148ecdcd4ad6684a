import { aheadOf, LINE_RATE_COLUMNS, lineAgentsSql, offeredCalls, skillsOfEntry } from './line-agents';
import { callsInLine, callsInLines, RANK_COLUMNS } from './line-sql';
import { QUEUE_ORDER_SQL, rankOf } from './queue-order';

/** The lines in which the call `c` stands: that of its department comes first if its position is the same in both. */
const LINES_OF_CALL = `(
    SELECT c.department_id AS department_id, 1 AS place
    UNION ALL
    SELECT c.overflow_department_id, 2 WHERE c.overflow_department_id IS NOT NULL AND c.status = 'queued')`;

/** A call that stands in two lines has the better of its positions, with the estimate and the size of that line. */
export const POSITION_SQL = `SELECT c.id AS call_id, c.status, c.version, c.inserted_at, c.wait_deadline, best.*
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

/**
 * The positions of several calls of a tenant: as POSITION_SQL, but each line is read once, and once more for each set of
 * lines whose agents it shares.
 */
export const POSITIONS_SQL = `WITH asked AS MATERIALIZED (
    SELECT c.id, c.status, c.version, c.inserted_at, c.wait_deadline, l.department_id, l.place,
      COALESCE(e.skill_ids, '{}') AS skill_ids, COALESCE(e.min_levels, '{}') AS min_levels
    FROM calls c CROSS JOIN LATERAL ${LINES_OF_CALL} l
      LEFT JOIN line_entries e ON e.call_id = c.id AND e.department_id = l.department_id
    WHERE c.tenant_id = $1 AND c.id = ANY ($2)),
  asked_departments AS MATERIALIZED (SELECT DISTINCT department_id AS id FROM asked WHERE status = 'queued'),
  rates AS MATERIALIZED (
    SELECT d.id, asked_skills.skill_ids, asked_skills.min_levels, ${LINE_RATE_COLUMNS}
    FROM (SELECT DISTINCT department_id, skill_ids, min_levels FROM asked WHERE status = 'queued') asked_skills
      JOIN departments d ON d.tenant_id = $1 AND d.id = asked_skills.department_id
      CROSS JOIN LATERAL ${lineAgentsSql(skillsOfEntry('asked_skills'))} a),
  offered AS MATERIALIZED (
    SELECT l.id AS department_id, q.id
    FROM (SELECT DISTINCT id FROM rates WHERE idle_agents > 0) l CROSS JOIN LATERAL (
      SELECT q.id FROM ${offeredCalls('$1', 'l.id')}) q),
  positions AS MATERIALIZED (
    SELECT l.id AS department_id, q.id, row_number() OVER line::int AS position, count(*) OVER department::int AS queue_size,
      count(o.id) OVER line::int - (o.id IS NOT NULL)::int AS offered
    FROM asked_departments l CROSS JOIN LATERAL ${callsInLine('$1', 'l.id', `id, ${RANK_COLUMNS}`)} q
      LEFT JOIN offered o ON o.department_id = l.id AND o.id = q.id
    WINDOW department AS (PARTITION BY l.id), line AS (department ORDER BY ${QUEUE_ORDER_SQL})),
  shared AS MATERIALIZED (
    SELECT DISTINCT r.id AS department_id, g.others
    FROM rates r CROSS JOIN LATERAL json_to_recordset(r.groups) AS g (others uuid[]) WHERE g.others <> '{}'),
  shared_positions AS MATERIALIZED (
    SELECT s.department_id, s.others, q.id, row_number() OVER line::int - 1 AS ahead
    FROM shared s CROSS JOIN LATERAL ${callsInLines('$1', 's.department_id || s.others', `id, ${RANK_COLUMNS}`)} q
    WINDOW line AS (PARTITION BY s.department_id, s.others ORDER BY ${QUEUE_ORDER_SQL}))
  SELECT DISTINCT ON (c.id) c.id AS call_id, c.status, c.version, c.inserted_at, c.wait_deadline, c.department_id,
    r.mean_handle_time, COALESCE(r.online_agents, 0) AS online_agents, COALESCE(r.idle_agents, 0) AS idle_agents,
    CASE WHEN EXISTS (SELECT FROM shared s WHERE s.department_id = c.department_id) THEN (
      SELECT COALESCE(json_agg(json_build_object('agents', g.agents, 'others', g.others, 'ahead', h.ahead)), '[]')
      FROM json_to_recordset(r.groups) AS g (agents int, others uuid[]) LEFT JOIN shared_positions h
        ON h.department_id = c.department_id AND h.others = g.others AND h.id = c.id)
    ELSE COALESCE(r.groups, '[]') END AS groups,
    COALESCE(p.position, 0) AS position, COALESCE(p.queue_size, 0) AS queue_size, COALESCE(p.offered, 0) AS offered
  FROM asked c LEFT JOIN positions p ON p.department_id = c.department_id AND p.id = c.id LEFT JOIN rates r
    ON r.id = c.department_id AND r.skill_ids = c.skill_ids AND r.min_levels = c.min_levels
  ORDER BY c.id, p.position, c.place`;
