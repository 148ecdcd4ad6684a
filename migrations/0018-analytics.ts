import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy, tenantScope } from './tenant-policy';

/** The sums of a group of calls. */
const SUMS = `
  count(*)::int AS total_calls,
  count(*) FILTER (WHERE c.status = 'queued')::int AS queued_calls,
  count(*) FILTER (WHERE c.status = 'assigned')::int AS assigned_calls,
  count(*) FILTER (WHERE c.status = 'active')::int AS active_calls,
  count(*) FILTER (WHERE c.status = 'completed')::int AS completed_calls,
  count(*) FILTER (WHERE c.status = 'missed')::int AS missed_calls,
  count(*) FILTER (WHERE c.status = 'cancelled')::int AS cancelled_calls,
  count(*) FILTER (WHERE c.status = 'abandoned')::int AS abandoned_calls,
  count(*) FILTER (WHERE c.status IN ('active', 'completed')
    AND c.wait_time <= t.service_level_seconds)::int AS answered_in_time,
  count(*) FILTER (WHERE c.status = 'abandoned'
    AND c.wait_time > t.service_level_seconds)::int AS abandoned_late,
  COALESCE(sum(c.wait_time) FILTER (WHERE c.status IN ('active', 'completed')), 0)::int8 AS answer_wait,
  COALESCE(sum(abs(c.estimated_wait_time - c.wait_time))
    FILTER (WHERE c.status IN ('active', 'completed')), 0)::int8 AS wait_estimate_error,
  max(c.wait_time) AS longest_wait_time,
  count(c.duration)::int AS handled_calls,
  COALESCE(sum(c.duration), 0)::int8 AS handle_time,
  count(*) FILTER (WHERE c.rating = 1)::int AS rating_1,
  count(*) FILTER (WHERE c.rating = 2)::int AS rating_2,
  count(*) FILTER (WHERE c.rating = 3)::int AS rating_3,
  count(*) FILTER (WHERE c.rating = 4)::int AS rating_4,
  count(*) FILTER (WHERE c.rating = 5)::int AS rating_5`;

/** In a materialized view, the id of what is NULL. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * A refresh finds the row to replace by the unique key, in which NULL equals nothing: the rows of a deleted department
 * would be rewritten by every refresh. So its id is stored as zeros, and read as NULL.
 */
const DEPARTMENT = `COALESCE(c.department_id, '${NOBODY}') AS department_id`;

const SUM_NAMES = [...SUMS.matchAll(/ AS (\w+)/g)].map(([, name]) => name).join(', ');

/** How a view finds the days of the companies `t`. Migration 100 replaces PostgreSQL's time zones. */
export interface ZoneSql {
  /** A table of companies. */
  companies: string;
  /** The local time of a moment. */
  local: (time: string) => string;
  /** When a day begins. @param date SQL of a date */
  startOf: (date: string) => string;
}

export const POSTGRESQL_ZONES: ZoneSql = {
  // Excludes companies with a time zone unknown to this server, because one of them would make every refresh fail.
  companies: `(SELECT id, timezone, service_level_seconds FROM tenants
  WHERE timezone IN (SELECT name FROM pg_timezone_names))`,
  local: (time) => `${time} AT TIME ZONE t.timezone`,
  startOf: (date) => `${date}::timestamp AT TIME ZONE t.timezone`,
};

/** Day and hour of the arrival of a call, in the time zone of its company. */
export const localHour = ({ local } = POSTGRESQL_ZONES) => `
  (${local('c.inserted_at')})::date AS day,
  extract(hour FROM ${local('c.inserted_at')})::int2 AS hour`;

/** Seconds of the periods `p` within the days `d`, in the time zone of the company `t`. */
export const seconds = (
  condition: string,
  { startOf } = POSTGRESQL_ZONES,
) => `COALESCE(extract(epoch FROM sum(
  LEAST(p.ended, ${startOf('(d.day::date + 1)')})
    - GREATEST(p.began, ${startOf('d.day::date')})
  ) FILTER (WHERE ${condition})), 0)::float8`;

/**
 * A view that shows each tenant its own rows of a materialized view.
 * @param source `name` in the schema analytics, and which rows, if another name or not all
 */
export const opened = (name: string, columns: string, source = `${name} WHERE true`) => `
  CREATE OR REPLACE VIEW ${name} WITH (security_barrier) AS
    SELECT ${columns} FROM analytics.${source} AND (${tenantScope('tenant_id')});`;

/**
 * The periods `p` of presence, each with the days `d` that it overlaps and its company `t`.
 * @param columns further columns of the periods
 */
export const presenceDays = (columns = '', { companies, local } = POSTGRESQL_ZONES) => `
  (SELECT tenant_id, user_id, presence, began_at AS began, LEAST(ended_at, now()) AS ended${columns}
   FROM presence_periods) p
  JOIN ${companies} t ON t.id = p.tenant_id,
  generate_series((${local('p.began')})::date, (${local('p.ended')})::date,
    interval '1 day') d (day)
  WHERE p.ended > p.began`;

/** The views of sums, which migration 46 replaces. */
export const FIRST_SUM_VIEWS = `
  CREATE MATERIALIZED VIEW analytics.call_hours AS
    SELECT c.tenant_id, ${DEPARTMENT}, ${localHour()}, ${SUMS}
    FROM calls c JOIN ${POSTGRESQL_ZONES.companies} t ON t.id = c.tenant_id
    GROUP BY 1, 2, 3, 4;
  CREATE UNIQUE INDEX call_hours_key ON analytics.call_hours (tenant_id, day, hour, department_id);

  CREATE MATERIALIZED VIEW analytics.agent_hours AS
    SELECT c.tenant_id, c.user_id, ${DEPARTMENT}, ${localHour()}, ${SUMS}
    FROM calls c JOIN ${POSTGRESQL_ZONES.companies} t ON t.id = c.tenant_id
    WHERE c.user_id IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5;
  CREATE UNIQUE INDEX agent_hours_key
    ON analytics.agent_hours (tenant_id, user_id, day, hour, department_id);
  CREATE INDEX agent_hours_day_idx ON analytics.agent_hours (tenant_id, day);

  CREATE MATERIALIZED VIEW analytics.presence_days AS
    SELECT p.tenant_id, p.user_id, d.day::date AS day,
      ${seconds(`p.presence IN ('online', 'busy')`)} AS online_time,
      ${seconds(`p.presence = 'busy'`)} AS busy_time
    FROM ${presenceDays()}
    GROUP BY 1, 2, 3;
  CREATE UNIQUE INDEX presence_days_key ON analytics.presence_days (tenant_id, day, user_id);

  ${opened('call_hours', `tenant_id, NULLIF(department_id, '${NOBODY}') AS department_id, day, hour, ${SUM_NAMES}`)}
  ${opened('agent_hours', `tenant_id, user_id, NULLIF(department_id, '${NOBODY}') AS department_id, day, hour, ${SUM_NAMES}`)}
  ${opened('presence_days', 'tenant_id, user_id, day, online_time, busy_time')}`;

/** @param views in the order in which they are refreshed, after view_states */
/** @param last a statement that follows the refresh */
export const refreshFunction = (views: string[], last = '') => `
  -- Runs with the owner's rights and for all tenants, because row-level security is forced for the owner, too.
  CREATE OR REPLACE FUNCTION refresh_analytics() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
  DECLARE
    scope text := current_setting('app.system', true);
  BEGIN
    PERFORM set_config('app.system', 'on', true);
    -- First: should a company change its settings meanwhile, this says what they were.
    ${['view_states', ...views].map((view) => `REFRESH MATERIALIZED VIEW CONCURRENTLY analytics.${view};`).join('\n    ')}
    ${last}
    PERFORM set_config('app.system', COALESCE(scope, ''), true);
  END $$;`;

export const FIRST_REFRESH = refreshFunction(['call_hours', 'agent_hours', 'presence_days']);

/**
 * Sums of calls, and how long agents were reachable. Row-level security does not apply to materialized views, so they
 * are in a schema to which the service's role has no access; it reads them through views that filter.
 */
export class Analytics1780000000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SELECT set_config('app.system', 'on', true);

      CREATE TABLE presence_periods (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT presence_periods_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL,
        user_id uuid NOT NULL,
        presence text NOT NULL CONSTRAINT presence_periods_presence_check
          CHECK (presence IN ('online', 'away', 'busy')),
        began_at timestamptz(3) NOT NULL,
        ended_at timestamptz(3) NOT NULL DEFAULT 'infinity',
        CONSTRAINT presence_periods_order_check CHECK (began_at <= ended_at),
        CONSTRAINT presence_periods_user_id_fkey FOREIGN KEY (tenant_id, user_id)
          REFERENCES users (tenant_id, id) ON DELETE CASCADE
      );
      CREATE UNIQUE INDEX presence_periods_open_key ON presence_periods (user_id) WHERE ended_at = 'infinity';
      CREATE INDEX presence_periods_ended_idx ON presence_periods (tenant_id, ended_at);
      CREATE INDEX presence_periods_user_idx ON presence_periods (tenant_id, user_id, ended_at);
      ${tenantPolicy('presence_periods')}
      INSERT INTO presence_periods (tenant_id, user_id, presence, began_at)
        SELECT tenant_id, user_id, announced, now() FROM presences WHERE announced <> 'offline';

      -- Includes all columns that the overview sums up; otherwise the planner estimates a full scan as cheaper.
      CREATE INDEX calls_sums_idx ON calls (tenant_id, inserted_at)
        INCLUDE (status, department_id, user_id, wait_time, estimated_wait_time, duration, rating);

      -- Large tables would otherwise rarely get the vacuum that index-only scans and estimates need.
      ALTER TABLE calls SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02);

      CREATE SCHEMA analytics;
      ${FIRST_SUM_VIEWS}
      CREATE MATERIALIZED VIEW analytics.view_states AS
        SELECT id AS tenant_id, timezone, service_level_seconds, now() AS refreshed_at FROM ${POSTGRESQL_ZONES.companies} t;
      CREATE UNIQUE INDEX view_states_key ON analytics.view_states (tenant_id);
      ${opened('view_states', 'tenant_id, timezone, service_level_seconds, refreshed_at')}
      ${FIRST_REFRESH}

      SELECT set_config('app.system', 'off', true);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION refresh_analytics();
      DROP VIEW call_hours, agent_hours, presence_days, view_states;
      DROP SCHEMA analytics CASCADE;
      DROP INDEX calls_sums_idx;
      ALTER TABLE calls RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor,
        autovacuum_analyze_scale_factor);
      DROP TABLE presence_periods;
    `);
  }
}
