import { LINE_RATE_COLUMNS, lineAgentsSql, offeredCalls } from './line-agents';
import { callsInLine, callsInLines, RANK_COLUMNS } from './line-sql';

/** The highest ranks of the calls in the line. The own call at its end is found by one step backwards in the index. */
export const LAST_RANK_COLUMNS = `,
  (SELECT CASE WHEN q.priority_since IS NULL THEN q.rank_at END FROM calls q
    WHERE q.tenant_id = d.tenant_id AND q.department_id = d.id AND q.status = 'queued'
    ORDER BY q.priority_since DESC, q.rank_at DESC, q.queue_number DESC LIMIT 1) AS last_rank_at,
  overflowed.last_overflow_rank_at`;

/** The calls that overflowed to the department `d`: a probe of an index that is empty for most departments. */
export const OVERFLOWED_SQL = `(SELECT count(*)::int AS overflow_size, max(o.rank_at) AS last_overflow_rank_at FROM calls o
  WHERE o.tenant_id = d.tenant_id AND o.overflow_department_id = d.id AND o.ended_at IS NULL AND o.status = 'queued')`;

/** The calls that joined the department `d`, or were transferred to it, by what its calls have recorded. */
export const QUEUE_SIZE_SQL = `(SELECT COALESCE(sum(q.change), 0)::int AS queue_size, count(*)::int AS change_count
  FROM queue_changes q WHERE q.tenant_id = d.tenant_id AND q.department_id = d.id)`;

/**
 * The calls in these lines, by the sizes of the queues: a join must not take longer for the calls of other departments. A call
 * that stands in two of the lines counts once, as in callsInLines.
 */
const sizeOf = (lines: string) => `((
  SELECT count(*)::int FROM calls o
  WHERE o.tenant_id = d.tenant_id AND o.overflow_department_id = ANY (${lines}) AND o.ended_at IS NULL
    AND o.status = 'queued' AND o.department_id <> ALL (${lines})) + (
  SELECT COALESCE(sum(q.change), 0)::int FROM queue_changes q
  WHERE q.tenant_id = d.tenant_id AND q.department_id = ANY (${lines})))`;

/**
 * The size of the queue of department $1 and who serves it, without its calls.
 * @param skills that the agents must have, as an item of a FROM list @param further columns, beginning with a comma
 */
export const departmentQueueSql = (skills: string | undefined, further: string) => `
  SELECT ${LINE_RATE_COLUMNS}, d.max_wait_time, changes.queue_size, changes.change_count, overflowed.overflow_size,
    CASE WHEN a.idle_agents > 0 THEN (SELECT count(*)::int FROM ${offeredCalls('d.tenant_id', 'd.id')}) ELSE 0 END
      AS offered${further}
  FROM departments d CROSS JOIN LATERAL ${QUEUE_SIZE_SQL} changes
    CROSS JOIN LATERAL ${OVERFLOWED_SQL} overflowed
    CROSS JOIN LATERAL ${lineAgentsSql(skills, sizeOf)} a
  WHERE d.id = $1`;

const IS_BEFORE = `(COALESCE(q.priority_since, 'infinity'), q.rank_at) <= (COALESCE($3::timestamptz, 'infinity'), $4)`;

/** The calls before a rank in the line of department $2, and in all lines of each group of agents $5. */
export const COUNT_BEFORE_SQL = `
  SELECT (SELECT count(*)::int FROM ${callsInLine('$1', '$2', RANK_COLUMNS)} q WHERE ${IS_BEFORE}) AS calls,
    ARRAY(SELECT (
        SELECT count(*)::int FROM ${callsInLines('$1', '($2::uuid || g.others)', RANK_COLUMNS)} q WHERE ${IS_BEFORE})
      FROM ROWS FROM (jsonb_to_recordset($5) AS (others uuid[])) WITH ORDINALITY AS g (others, place)
      ORDER BY g.place) AS ahead`;

export const REPLACE_CHANGES_SQL = `WITH replaced AS (
    DELETE FROM queue_changes WHERE tenant_id = $1 AND department_id = $2 RETURNING change)
  INSERT INTO queue_changes (tenant_id, department_id, change)
  SELECT $1, $2, COALESCE(sum(change), 0) FROM replaced`;
