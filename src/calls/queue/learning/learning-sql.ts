import { localTime } from '../../../platform/clock/time-zone';

/** Departments with something to learn, or that have never learned; at most $1. */
export const DUE_SQL = `SELECT d.tenant_id, d.id FROM departments d
  WHERE EXISTS (SELECT FROM ended_waits e WHERE e.department_id = d.id)
    OR NOT EXISTS (SELECT FROM wait_learning l WHERE l.department_id = d.id)
  ORDER BY random() LIMIT $1`;

/** The time zone of the hours of the week in the department `d` of the company `t`. */
const TIMEZONE = `COALESCE(d.opening_hours ->> 'timezone', t.timezone)`;

/** The local hour of the week, 0 to 167 from Monday 0:00. */
const hourOfWeek = (at: string, timezone: string) =>
  `(SELECT ((extract(isodow FROM ${localTime(at)}) - 1) * 24 + extract(hour FROM ${localTime(at)}))::int
    FROM timezone_offsets z WHERE z.name = lower(${timezone}))`;

const LEARNING_COLUMNS = `l.handle_times, l.handle_times_by_hour, l.waits, l.latencies, l.history, l.in_use, l.ratios,
  l.wait_count::int, l.ratios_count::int`;

/** Locks what the department has learned. An instance that does not get the lock leaves the department to the other one. */
export const LOCK_SQL = `SELECT ${LEARNING_COLUMNS}, ${TIMEZONE} AS timezone
  FROM wait_learning l JOIN departments d ON d.id = l.department_id JOIN tenants t ON t.id = d.tenant_id
  WHERE l.department_id = $1 FOR UPDATE OF l SKIP LOCKED`;

/** Begins to learn, unless another instance does so or the department is being deleted. */
export const BEGIN_SQL = `WITH department AS MATERIALIZED (
    SELECT d.id, d.tenant_id FROM departments d WHERE d.id = $1 FOR KEY SHARE SKIP LOCKED),
  begun AS (
    INSERT INTO wait_learning (department_id, tenant_id, handle_times, handle_times_by_hour, waits, latencies, history,
      in_use, ratios, wait_count, ratios_count, learned_at)
    SELECT id, tenant_id, $2::jsonb, '{}', $2, $2, '{}', 'queue_length', $3::jsonb, 0, 0, $4::timestamptz FROM department
    ON CONFLICT ON CONSTRAINT wait_learning_pkey DO NOTHING RETURNING *)
  SELECT ${LEARNING_COLUMNS}, ${TIMEZONE} AS timezone
  FROM begun l JOIN departments d ON d.id = l.department_id JOIN tenants t ON t.id = d.tenant_id`;

/** A part is complete once its agent does not wrap it up any more. */
const IS_COMPLETE = `NOT EXISTS (SELECT FROM call_parts p JOIN presences a ON a.user_id = p.user_id
  WHERE p.id = e.part_id AND a.wrap_up_part_id = p.id)`;

/** A customer who asked for a callback waited until then, however often they did so: the wait is censored. */
const WAITED = `CASE WHEN c.callback_status IS NULL THEN COALESCE(c.wait_time, 0) ELSE (
    SELECT floor(GREATEST(0, extract(epoch FROM COALESCE(b.first_requested_at, b.requested_at) - c.inserted_at)))::int FROM callbacks b
    WHERE b.call_id = c.id) END`;

const WAIT_COLUMNS = `extract(epoch FROM COALESCE(c.started_at, c.ended_at))::float8 AS at,
  ${WAITED} AS waited, c.join_estimate AS estimate, NULL::float8 AS seconds, NULL::int AS hour`;

/** @param timezone its parameter @param part the row of call_parts */
const partColumns = (timezone: string) => `extract(epoch FROM h.at)::float8 AS at, NULL::int AS waited,
  NULL::jsonb AS estimate, extract(epoch FROM h.at - p.started_at)::float8 AS seconds,
  ${hourOfWeek('h.at', timezone)} AS hour`;

const HANDLED = `CROSS JOIN LATERAL (SELECT p.ended_at + make_interval(secs => COALESCE(p.wrap_up_time, 0)) AS at) h`;

/**
 * Removes what the department $1 is to learn, at most $2 of it, and returns it in the order in which it ended. $3 is the
 * time zone.
 */
export const TAKE_SQL = `WITH taken AS (
    DELETE FROM ended_waits w WHERE w.department_id = $1 AND w.id = ANY (ARRAY(
      SELECT e.id FROM ended_waits e WHERE e.department_id = $1 AND ${IS_COMPLETE} ORDER BY e.id LIMIT $2))
    RETURNING w.id, w.call_id, w.outcome, w.part_id)
  SELECT e.id, e.outcome, ${WAIT_COLUMNS} FROM taken e JOIN calls c ON c.id = e.call_id WHERE e.outcome IS NOT NULL
  UNION ALL
  SELECT e.id, NULL, ${partColumns('$3')} FROM taken e JOIN call_parts p ON p.id = e.part_id ${HANDLED}
  ORDER BY id`;

/**
 * What happened before the department $1 began to learn: its last $2 calls since $4, in the order in which they ended. What
 * triggers have recorded of them is removed in the same statement, so it is learned once. In calls of a former release,
 * closings are not distinguished from customers who left.
 */
export const HISTORY_SQL = `WITH removed AS (
    DELETE FROM ended_waits e WHERE e.department_id = $1 AND ${IS_COMPLETE}),
  recent AS MATERIALIZED (
    SELECT c.* FROM calls c JOIN departments d ON d.tenant_id = c.tenant_id AND d.id = c.department_id
    WHERE d.id = $1 AND c.inserted_at >= $4 ORDER BY c.inserted_at DESC LIMIT $2)
  SELECT CASE WHEN c.callback_status IS NOT NULL THEN 'censored' WHEN c.started_at IS NOT NULL THEN 'answered'
      WHEN c.status = 'cancelled' OR c.status = 'abandoned' AND c.wait_time < d.max_wait_time THEN 'left'
      ELSE 'censored' END AS outcome, ${WAIT_COLUMNS}
  FROM recent c JOIN departments d ON d.id = $1
  WHERE (c.started_at IS NOT NULL OR c.ended_at IS NOT NULL) AND NOT EXISTS (
    SELECT FROM call_parts p WHERE p.call_id = c.id AND p.department_id <> $1)
  UNION ALL
  SELECT NULL, ${partColumns('$3')} FROM recent c JOIN call_parts p ON p.call_id = c.id ${HANDLED}
  WHERE p.department_id = $1 AND p.ended_at IS NOT NULL AND NOT EXISTS (
    SELECT FROM presences a WHERE a.user_id = p.user_id AND a.wrap_up_part_id = p.id)
  ORDER BY at`;

/** The answered calls by which estimators are compared: the last $2. */
export const RECENT_SQL = `SELECT queue_length, last_wait, mean_wait, waited FROM learned_waits
  WHERE department_id = $1 AND answered AND NOT idle ORDER BY id DESC LIMIT $2`;

export const ADD_WAITS_SQL = `INSERT INTO learned_waits (tenant_id, department_id, queue_length, last_wait, mean_wait,
    waited, idle, answered)
  SELECT $1, $2, (w -> 0)::real, (NULLIF(w -> 1, 'null'))::real, (NULLIF(w -> 2, 'null'))::real, (w -> 3)::real,
    (w -> 4)::boolean, (w -> 5)::boolean
  FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS learned (w, place) ORDER BY place`;

/** PostgreSQL writes the last $2 waits as one text: reading thousands of rows would take the event loop longer. */
export const WAITS_SQL = `SELECT COALESCE(json_agg(json_build_array(queue_length, last_wait, mean_wait, waited, idle,
    answered) ORDER BY id), '[]') AS waits
  FROM (SELECT * FROM learned_waits WHERE department_id = $1 ORDER BY id DESC LIMIT $2) w`;

export const REMOVE_WAITS_SQL = `DELETE FROM learned_waits WHERE department_id = $1 AND id <= (
  SELECT id FROM learned_waits WHERE department_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1)`;

export const STORE_SQL = `UPDATE wait_learning SET handle_times = $2, handle_times_by_hour = $3, waits = $4,
    latencies = $5, history = $6, in_use = $7, ratios = $8, wait_count = $9,
    ratios_count = $10, learned_at = $11
  WHERE department_id = $1`;

/** What departments $1 have learned, with the hour of the week at $2. Those that have not begun to learn are left out. */
export const LEARNED_SQL = `SELECT l.department_id, l.handle_times, l.waits, l.latencies, l.history, l.in_use, l.ratios,
    h.hour, CASE WHEN l.handle_times_by_hour ? h.hour::text
      THEN jsonb_build_object(h.hour, l.handle_times_by_hour -> h.hour::text) ELSE '{}' END AS handle_times_by_hour
  FROM wait_learning l JOIN departments d ON d.id = l.department_id JOIN tenants t ON t.id = d.tenant_id
    CROSS JOIN LATERAL (SELECT ${hourOfWeek('$2::timestamptz', TIMEZONE)} AS hour) h
  WHERE l.department_id = ANY ($1)`;
