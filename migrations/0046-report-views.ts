import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  FIRST_REFRESH,
  FIRST_SUM_VIEWS,
  localHour,
  NOBODY,
  opened,
  POSTGRESQL_ZONES,
  presenceDays,
  refreshFunction,
  seconds,
  type ZoneSql,
} from './0018-analytics';
import { recordCallPart } from './0040-call-line';

const ANSWERED = 'c.started_at IS NOT NULL';
const FORMERLY_ANSWERED = `c.status IN ('active', 'completed')`;
const HANDLE_TIME = `CASE WHEN ${ANSWERED} AND c.status NOT IN ('queued', 'assigned', 'active')
  THEN COALESCE(p.handle_time, c.duration) END`;
const ESTIMATE_ERROR = 'abs(c.estimated_wait_time - c.wait_time)';

export const count = (condition: string) => `count(*) FILTER (WHERE ${condition})::int`;
const total = (value: string, condition = 'true') =>
  `COALESCE(sum(${value}) FILTER (WHERE ${condition}), 0)::int8`;

/** The sums of a group of calls `c` with their parts `p` and their company `t`. */
export const SUMS: Record<string, string> = {
  total_calls: 'count(*)::int',
  queued_calls: count(`c.status = 'queued'`),
  assigned_calls: count(`c.status = 'assigned'`),
  active_calls: count(`c.status = 'active'`),
  completed_calls: count(`c.status = 'completed'`),
  missed_calls: count(`c.status = 'missed'`),
  cancelled_calls: count(`c.status = 'cancelled'`),
  abandoned_calls: count(`c.status = 'abandoned'`),
  answered_calls: count(ANSWERED),
  answered_in_time: count(`${ANSWERED} AND c.wait_time <= t.service_level_seconds`),
  abandoned_late: count(
    `c.status = 'abandoned' AND NOT (${ANSWERED}) AND c.wait_time > t.service_level_seconds`,
  ),
  answer_wait: total('c.wait_time', ANSWERED),
  wait_estimate_error: total(ESTIMATE_ERROR, ANSWERED),
  longest_wait_time: 'max(c.wait_time)',
  calls_with_duration: 'count(c.duration)::int',
  duration: total('c.duration'),
  handled_calls: `count(${HANDLE_TIME})::int`,
  handle_time: total(HANDLE_TIME),
  calls_without_parts: count(`c.duration IS NOT NULL AND p.call_id IS NULL`),
  duration_without_parts: total('c.duration', 'p.call_id IS NULL'),
  rating_1: count('c.rating = 1'),
  rating_2: count('c.rating = 2'),
  rating_3: count('c.rating = 3'),
  rating_4: count('c.rating = 4'),
  rating_5: count('c.rating = 5'),
};

/** The sums of the views of the previous release that have another meaning there. */
export const FORMER_SUMS: Record<string, string> = {
  former_answered_in_time: count(`${FORMERLY_ANSWERED} AND c.wait_time <= t.service_level_seconds`),
  former_abandoned_late: count(`c.status = 'abandoned' AND c.wait_time > t.service_level_seconds`),
  former_answer_wait: total('c.wait_time', FORMERLY_ANSWERED),
  former_wait_estimate_error: total(ESTIMATE_ERROR, FORMERLY_ANSWERED),
};

const ALL_SUMS = { ...SUMS, ...FORMER_SUMS };

const SUM_COLUMNS = Object.entries(ALL_SUMS)
  .map(([name, sql]) => `${sql} AS ${name}`)
  .join(', ');

/** ALL_SUMS of several rows, with the types that they have in one row. */
const SUMS_OF_SUMS = Object.entries(ALL_SUMS)
  .map(([name, sql]) =>
    name === 'longest_wait_time'
      ? `max(${name}) AS ${name}`
      : `sum(${name})${sql.slice(sql.lastIndexOf('::'))} AS ${name}`,
  )
  .join(', ');

/** The columns of call_hours and agent_hours, as the previous release knows them. */
export const FORMER_COLUMNS = `total_calls, queued_calls, assigned_calls, active_calls, completed_calls, missed_calls,
  cancelled_calls, abandoned_calls, former_answered_in_time AS answered_in_time,
  former_abandoned_late AS abandoned_late, former_answer_wait AS answer_wait,
  former_wait_estimate_error AS wait_estimate_error, longest_wait_time, calls_with_duration AS handled_calls,
  duration AS handle_time, rating_1, rating_2, rating_3, rating_4, rating_5`;

export const stored = (column: string, name: string) => `COALESCE(${column}, '${NOBODY}') AS ${name}`;
export const DEPARTMENT = `NULLIF(department_id, '${NOBODY}') AS department_id`;

/** Seconds of the parts of each call, with the wrap-up that followed. Each part counts whole seconds, as a duration. */
export const PARTS_OF_CALLS = `(SELECT call_id,
    sum(floor(date_part('epoch', ended_at - started_at)) + COALESCE(wrap_up_time, 0))::int8 AS handle_time
  FROM call_parts GROUP BY call_id)`;

const inState = (zones: ZoneSql, state: string, presence?: string) =>
  seconds(
    presence
      ? `(p.state = '${state}' OR p.state IS NULL AND p.presence = '${presence}')`
      : `p.state = '${state}'`,
    zones,
  );

/** The views of the days of agents. @param prefix of the names of the views and their indexes */
export const stateDays = (prefix = '', zones = POSTGRESQL_ZONES) => `
  -- A period of an instance of the previous release has no state; the presence is the nearest to it.
  CREATE MATERIALIZED VIEW analytics.${prefix}agent_state_days AS
    SELECT p.tenant_id, p.user_id, d.day::date AS day,
      ${seconds(`p.presence IN ('online', 'busy')`, zones)} AS online_time,
      ${seconds(`p.presence = 'busy' AND p.state IS DISTINCT FROM 'wrap_up'`, zones)} AS busy_time,
      ${inState(zones, 'available', 'online')} AS state_available,
      ${inState(zones, 'offered')} AS state_offered,
      ${inState(zones, 'on_call', 'busy')} AS state_on_call,
      ${inState(zones, 'wrap_up')} AS state_wrap_up,
      ${inState(zones, 'paused', 'away')} AS state_paused
    FROM ${presenceDays(', state', zones)}
    GROUP BY 1, 2, 3;
  CREATE UNIQUE INDEX ${prefix}agent_state_days_key ON analytics.${prefix}agent_state_days (tenant_id, day, user_id);`;

export const offerDays = (prefix = '', { companies, local } = POSTGRESQL_ZONES) => `
  CREATE MATERIALIZED VIEW analytics.${prefix}agent_offer_days AS
    SELECT o.tenant_id, o.user_id, ${stored('o.department_id', 'department_id')}, (${local('o.offered_at')})::date AS day,
      count(*)::int AS offers,
      ${count(`o.status = 'accepted'`)} AS accepted_offers,
      ${count(`o.status = 'declined'`)} AS declined_offers,
      ${count(`o.status = 'expired'`)} AS missed_offers,
      COALESCE(date_part('epoch', sum(o.ended_at - o.offered_at) FILTER (WHERE o.status = 'accepted')), 0)
        AS answer_time
    FROM offers o JOIN ${companies} t ON t.id = o.tenant_id
    GROUP BY 1, 2, 3, 4;
  CREATE UNIQUE INDEX ${prefix}agent_offer_days_key
    ON analytics.${prefix}agent_offer_days (tenant_id, day, user_id, department_id);`;

export const partDays = (prefix = '', { companies, local } = POSTGRESQL_ZONES) => `
  CREATE MATERIALIZED VIEW analytics.${prefix}agent_part_days AS
    SELECT p.tenant_id, p.user_id, ${stored('p.department_id', 'department_id')}, (${local('p.joined_at')})::date AS day,
      count(*)::int AS parts,
      ${total(`floor(date_part('epoch', p.ended_at - p.started_at))`)} AS part_time,
      ${total('p.wrap_up_time')} AS wrap_up_time,
      ${count(`p.ended_by = 'transferred'`)} AS transfers
    FROM call_parts p JOIN ${companies} t ON t.id = p.tenant_id
    WHERE p.ended_at IS NOT NULL AND p.user_id IS NOT NULL
    GROUP BY 1, 2, 3, 4;
  CREATE UNIQUE INDEX ${prefix}agent_part_days_key
    ON analytics.${prefix}agent_part_days (tenant_id, day, user_id, department_id);`;

const SUM_VIEWS = `
  -- Calls without an agent are included, so that the sums of departments can be added up from these.
  CREATE MATERIALIZED VIEW analytics.agent_hour_sums AS
    SELECT c.tenant_id, ${stored('c.user_id', 'user_id')}, ${stored('c.department_id', 'department_id')},
      ${localHour()}, ${SUM_COLUMNS}
    FROM calls c JOIN ${POSTGRESQL_ZONES.companies} t ON t.id = c.tenant_id LEFT JOIN ${PARTS_OF_CALLS} p ON p.call_id = c.id
    GROUP BY 1, 2, 3, 4, 5;
  CREATE UNIQUE INDEX agent_hour_sums_key
    ON analytics.agent_hour_sums (tenant_id, user_id, day, hour, department_id);
  CREATE INDEX agent_hour_sums_day_idx ON analytics.agent_hour_sums (tenant_id, day);

  CREATE MATERIALIZED VIEW analytics.call_hour_sums AS
    SELECT tenant_id, department_id, day, hour, ${SUMS_OF_SUMS} FROM analytics.agent_hour_sums
    GROUP BY 1, 2, 3, 4;
  CREATE UNIQUE INDEX call_hour_sums_key ON analytics.call_hour_sums (tenant_id, day, hour, department_id);

${stateDays()}
  ${offerDays()}`;

/** The views of the days of agents that the service reads, and that of presence, which the release before routing reads. */
export const openedDays = (prefix = '') => `
  ${opened(
    'agent_state_days',
    `tenant_id, user_id, day, online_time, busy_time, state_available, state_offered, state_on_call, state_wrap_up,
      state_paused`,
    `${prefix}agent_state_days WHERE true`,
  )}
  ${opened(
    'agent_offer_days',
    `tenant_id, user_id, ${DEPARTMENT}, day, offers, accepted_offers, declined_offers, missed_offers, answer_time`,
    `${prefix}agent_offer_days WHERE true`,
  )}
  ${opened(
    'agent_part_days',
    `tenant_id, user_id, ${DEPARTMENT}, day, parts, part_time, wrap_up_time, transfers`,
    `${prefix}agent_part_days WHERE true`,
  )}
  ${opened('presence_days', 'tenant_id, user_id, day, online_time, busy_time', `${prefix}agent_state_days WHERE true`)}`;

const NEW_VIEWS = `
  ${opened('call_hour_sums', `tenant_id, ${DEPARTMENT}, day, hour, ${Object.keys(SUMS).join(', ')}`)}
  ${opened(
    'agent_hour_sums',
    `tenant_id, user_id, ${DEPARTMENT}, day, hour, ${Object.keys(SUMS).join(', ')}`,
    `agent_hour_sums WHERE user_id <> '${NOBODY}'`,
  )}
${openedDays()}`;

/** The views that the previous release reads, from the same rows, so that a refresh does not count the calls twice. */
const FORMER_VIEWS = `
  ${opened('call_hours', `tenant_id, ${DEPARTMENT}, day, hour, ${FORMER_COLUMNS}`, 'call_hour_sums WHERE true')}
  ${opened(
    'agent_hours',
    `tenant_id, user_id, ${DEPARTMENT}, day, hour, ${FORMER_COLUMNS}`,
    `agent_hour_sums WHERE user_id <> '${NOBODY}'`,
  )}`;

/** @param last a statement that follows the refresh */
export const refreshReportViews = (last?: string) =>
  refreshFunction(
    ['agent_hour_sums', 'call_hour_sums', 'agent_state_days', 'agent_offer_days', 'agent_part_days'],
    last,
  );

/** The index of lists and sums, as in migration 37. @param further columns for the sums */
const sumsIndex = (further = '') => `
  CREATE INDEX new_calls_inserted_idx ON calls (tenant_id, inserted_at, id)
    INCLUDE (status, department_id, user_id, wait_time, estimated_wait_time, duration, rating${further});
  DROP INDEX calls_inserted_idx;
  ALTER INDEX new_calls_inserted_idx RENAME TO calls_inserted_idx;`;

/**
 * The sums of the reports with routing: a call is answered once it was started, whatever follows; the time that agents
 * spent on a call, with transfers and wrap-up; offers and states of agents. A part belongs to the time of the arrival of
 * its call, like all figures of the call, so it has that time.
 */
export class ReportViews1780000000046 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The scope is needed because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      -- The new views are computed for the present settings of the companies. The lock is that of a refresh, which waits.
      REFRESH MATERIALIZED VIEW CONCURRENTLY analytics.view_states;
      ${SUM_VIEWS}

      -- From here on, calls wait. Few calls have parts before this release.
      ALTER TABLE call_parts ADD joined_at timestamptz(3);
      UPDATE call_parts p SET joined_at = c.inserted_at FROM calls c WHERE c.tenant_id = p.tenant_id AND c.id = p.call_id;
      ALTER TABLE call_parts ALTER joined_at SET NOT NULL;
      CREATE INDEX call_parts_joined_idx ON call_parts (tenant_id, joined_at);
      ${recordCallPart({ columns: ', joined_at', values: ', NEW.inserted_at' })}
      ${partDays()}
      ${NEW_VIEWS}
      ${FORMER_VIEWS}
      ${refreshReportViews()}
      DROP MATERIALIZED VIEW analytics.call_hours, analytics.agent_hours, analytics.presence_days;
      ${sumsIndex(', started_at')}
      SELECT set_config('app.system', 'off', true);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SELECT set_config('app.system', 'on', true);
      DROP VIEW call_hours, agent_hours, presence_days, call_hour_sums, agent_hour_sums, agent_state_days,
        agent_offer_days, agent_part_days;
      DROP MATERIALIZED VIEW analytics.call_hour_sums, analytics.agent_hour_sums, analytics.agent_state_days,
        analytics.agent_offer_days, analytics.agent_part_days;
      ${FIRST_SUM_VIEWS}
      ${FIRST_REFRESH}
      ${recordCallPart()}
      ALTER TABLE call_parts DROP joined_at;
      ${sumsIndex()}
      SELECT set_config('app.system', 'off', true);
    `);
  }
}
