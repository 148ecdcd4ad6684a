import { localTime } from '../../platform/clock/time-zone';
import { MAX_INTERRUPTION_MS } from './agent-state.rules';

/** The states in which an agent is in a call, or wraps one up. */
const WORKING = `('on_call', 'wrap_up')`;

/**
 * The row as it was announced before: `before` is the same row as the updated one, because RETURNING has no old values before
 * PostgreSQL 18.
 */
const PREVIOUS = `before.state AS previous_state, before.state_reason AS previous_reason,
  before.announced AS previous_presence`;

/** As idleSinceAfter for the row `p`, the next state `n` and the time $2; a test compares the two. */
const IDLE_SINCE = `CASE
  WHEN p.state IN ${WORKING} AND n.state NOT IN ${WORKING}
    OR n.state = 'available' AND (p.idle_since IS NULL OR p.state = 'paused'
      OR p.state = 'offline' AND $2::timestamptz - p.state_since >= interval '${MAX_INTERRUPTION_MS} milliseconds')
  THEN GREATEST(p.idle_since, $2::timestamptz) ELSE p.idle_since END`;

const ANNOUNCED_COLUMNS = `announced = n.presence, state = n.state, state_reason = n.reason,
  state_since = CASE WHEN p.state_since IS NULL OR (p.state, p.state_reason) IS DISTINCT FROM (n.state, n.reason)
    THEN GREATEST(p.state_since, $2::timestamptz) ELSE p.state_since END,
  idle_since = ${IDLE_SINCE}`;

const IS_CHANGED = '(p.state, p.state_reason, p.announced) IS DISTINCT FROM (n.state, n.reason, n.presence)';

const CHANGED_COLUMNS = `p.user_id, p.announced AS presence, p.state, p.state_reason AS reason, p.state_since AS since,
  p.idle_since, n.previous_state, n.previous_presence,
  ARRAY(SELECT m.department_id FROM department_members m WHERE m.user_id = p.user_id) AS department_ids`;

/**
 * Keeps PostgreSQL from repeating the expressions of the view for every column that is written: the plan of the statement
 * would be ten times as large, and take longer to start than to run.
 */
const COMPUTED_ONCE = 'OFFSET 0';

const announce = (users: string) => `UPDATE presences p SET ${ANNOUNCED_COLUMNS}
  FROM (SELECT s.user_id, s.state, s.presence, s.reason, ${PREVIOUS}
    FROM agent_states s JOIN presences before ON before.user_id = s.user_id
    WHERE s.user_id ${users} ${COMPUTED_ONCE}) n
  WHERE p.user_id = n.user_id AND ${IS_CHANGED}
  RETURNING ${CHANGED_COLUMNS}`;

/** For a list of unknown length PostgreSQL plans the statement at each execution, which costs more than to run it. */
const ANNOUNCE_ONE = announce('= $1');
const ANNOUNCE_ALL = announce('= ANY ($1)');

/**
 * Writes what the view shows to the rows of the agents that differ from it, and returns these. The states began at `at`,
 * but no earlier than those before: the clocks of instances may differ slightly.
 */
export const announcement = (userIds: readonly string[], at: Date) =>
  userIds.length === 1
    ? { text: ANNOUNCE_ONE, values: [userIds[0], at] }
    : { text: ANNOUNCE_ALL, values: [userIds, at] };

/** For the facts `f` (AgentFacts). A wrap-up that begins now counts already. */
const WRAPS_UP = '(f.wrap_up_time > 0 OR f.wrap_up_until IS NOT NULL)';

/** As agentStateOf; a test compares the two. */
const STATE = `CASE WHEN f.call IS NOT NULL THEN 'on_call' WHEN NOT f.has_socket THEN 'offline'
  WHEN f.has_pending_offer THEN 'offered' WHEN ${WRAPS_UP} THEN 'wrap_up'
  WHEN f.chosen = 'away' THEN 'paused' ELSE 'available' END`;

/** As presenceOf; a test compares the two. */
const PRESENCE = `CASE WHEN f.call = 'active' THEN 'busy' WHEN NOT f.has_socket THEN 'offline'
  WHEN f.call IS NULL AND ${WRAPS_UP} THEN 'busy' ELSE f.chosen END`;

/** A wrap-up begins now: `n.wrap_up_time` seconds after a call. Otherwise it is null or 0. */
const BEGINS_WRAP_UP = 'n.wrap_up_time > 0';

const wrapUpColumn = (column: string, begun: string) => `wrap_up_${column} = CASE WHEN n.takes_call THEN NULL
    WHEN ${BEGINS_WRAP_UP} THEN ${begun} ELSE p.wrap_up_${column} END`;

/**
 * As an announcement at $2, together with the wrap-up and the number of calls of each agent, for the work $1 (AgentWork).
 * One statement does all of it, because most calls need it. It reads the facts itself instead of the view: the view does
 * not see the wrap-up that begins here, and its plan would be twice as large, which costs more than to run it. Of several
 * wrap-ups the later end counts, for the last part. Returns also rows whose state has not changed, and the part of a wrap-up
 * that a call ended; an agent who was in another call was not wrapping up.
 */
export const ANNOUNCE_WORK = `UPDATE presences p SET ${ANNOUNCED_COLUMNS},
    ${wrapUpColumn('started_at', '$2::timestamptz')},
    ${wrapUpColumn('until', 'GREATEST(p.wrap_up_until, $2::timestamptz + make_interval(secs => n.wrap_up_time))')},
    ${wrapUpColumn(
      'part_id',
      `(SELECT c.id FROM call_parts c WHERE c.call_id = ANY (n.ended_call_ids) AND c.user_id = p.user_id
        AND c.ended_at IS NOT NULL ORDER BY c.ended_at DESC, c.id LIMIT 1)`,
    )},
    calls_day = COALESCE(n.day, p.calls_day),
    calls_count = n.started_calls + CASE WHEN n.day <> p.calls_day THEN 0 ELSE p.calls_count END
  FROM (SELECT f.*, ${STATE} AS state, ${PRESENCE} AS presence,
      CASE ${STATE} WHEN 'paused' THEN f.chosen_reason END AS reason
    FROM (SELECT w.*, ${PREVIOUS},
        before.chosen, before.reason AS chosen_reason,
        before.wrap_up_part_id, before.wrap_up_started_at, before.wrap_up_until,
        (SELECT min(c.status) FROM calls c WHERE c.tenant_id = before.tenant_id AND c.user_id = before.user_id
          AND c.status IN ('assigned', 'active')) AS call,
        EXISTS (SELECT FROM connections o WHERE o.user_id = before.user_id) AS has_socket,
        EXISTS (SELECT FROM offers o WHERE o.user_id = before.user_id AND o.status = 'pending') AS has_pending_offer,
        CASE WHEN NOT w.takes_call THEN (SELECT max(d.wrap_up_time) FROM departments d
          WHERE d.tenant_id = before.tenant_id AND d.id = ANY (w.ended_department_ids)) END AS wrap_up_time,
        CASE WHEN w.started_calls > 0 THEN (SELECT ${localTime('$2::timestamptz')}::date
          FROM tenants t JOIN timezone_offsets z ON z.name = lower(t.timezone) WHERE t.id = before.tenant_id) END AS day
      FROM jsonb_to_recordset($1::jsonb) AS w (user_id uuid, takes_call boolean, started_calls integer,
          ended_call_ids uuid[], ended_department_ids uuid[])
        JOIN presences before ON before.user_id = w.user_id
      ${COMPUTED_ONCE}) f) n
  WHERE p.user_id = n.user_id AND (${IS_CHANGED} OR ${BEGINS_WRAP_UP} OR n.started_calls > 0
    OR n.takes_call AND p.wrap_up_until IS NOT NULL)
  RETURNING ${CHANGED_COLUMNS},
    (p.state, p.state_reason, p.announced)
      IS DISTINCT FROM (n.previous_state, n.previous_reason, n.previous_presence) AS is_changed,
    CASE WHEN n.takes_call AND n.previous_state <> 'on_call' THEN n.wrap_up_part_id END AS part_id,
    n.wrap_up_started_at AS began_at, LEAST(n.wrap_up_until, $2::timestamptz) AS ended_at`;
