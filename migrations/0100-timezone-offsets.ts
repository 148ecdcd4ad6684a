import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isTimezone } from '../src/platform/clock/time-zone';
import { storedOffsets } from '../src/tenancy/stored-offsets';
import { opened, POSTGRESQL_ZONES, type ZoneSql } from './0018-analytics';
import { offerDays, openedDays, partDays, stateDays } from './0046-report-views';
import { replaceSumViews } from './0085-left-call-sums';
import { TOLD_WAIT_SUMS } from './0092-told-wait-sums';

const STORED_ZONES: ZoneSql = {
  companies: `(SELECT n.id, n.timezone, n.service_level_seconds, z.starts, z.offsets, z.local_ends
    FROM tenants n JOIN timezone_offsets z ON z.name = lower(n.timezone))`,
  local: (time) =>
    `(${time} AT TIME ZONE 'UTC' + make_interval(secs => t.offsets[width_bucket(${time}, t.starts)]))`,
  // With the first occurrence of its midnight; where clocks skip that, when they are put forward.
  startOf: (date) => {
    const period = `width_bucket(${date}::timestamp, t.local_ends) + 1`;
    return `GREATEST(t.starts[${period}],
      (${date}::timestamp - make_interval(secs => t.offsets[${period}])) AT TIME ZONE 'UTC')`;
  },
};

const DAY_VIEWS = ['agent_state_days', 'agent_offer_days', 'agent_part_days'];

const viewStates = (zones: ZoneSql) => `
  CREATE MATERIALIZED VIEW analytics.new_view_states AS
    SELECT id AS tenant_id, timezone, service_level_seconds, now() AS refreshed_at FROM ${zones.companies} t;
  CREATE UNIQUE INDEX new_view_states_key ON analytics.new_view_states (tenant_id);
  ${opened('view_states', 'tenant_id, timezone, service_level_seconds, refreshed_at', 'new_view_states WHERE true')}`;

/** Computes all report views again. The function that refreshes them names them, so the new ones get the former names. */
const replaceViews = (zones: ZoneSql) => `
  ${replaceSumViews(TOLD_WAIT_SUMS, { zones })}
  SELECT set_config('app.system', 'on', true);
  ${stateDays('new_', zones)}
  ${offerDays('new_', zones)}
  ${partDays('new_', zones)}
  ${openedDays('new_')}
  ${viewStates(zones)}
  ${[...DAY_VIEWS, 'view_states']
    .map(
      (view) => `DROP MATERIALIZED VIEW analytics.${view};
  ALTER MATERIALIZED VIEW analytics.new_${view} RENAME TO ${view};
  ALTER INDEX analytics.new_${view}_key RENAME TO ${view}_key;`,
    )
    .join('\n  ')}
  SELECT set_config('app.system', 'off', true);`;

/**
 * Days and hours of statements follow the offsets that the service writes: the time zones of PostgreSQL can be of another
 * version, and it takes CET for a fixed offset.
 */
export class TimezoneOffsets1780000000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE timezone_offsets (
        name text CONSTRAINT timezone_offsets_pkey PRIMARY KEY,
        version text NOT NULL,
        starts timestamptz[] NOT NULL,
        offsets integer[] NOT NULL,
        local_ends timestamp[] NOT NULL,
        stored_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT timezone_offsets_name_check CHECK (name = lower(name))
      );
      -- Statements read them for each call: they must not be compressed.
      ALTER TABLE timezone_offsets ALTER starts SET STORAGE PLAIN, ALTER offsets SET STORAGE PLAIN,
        ALTER local_ends SET STORAGE PLAIN;
      SELECT set_config('app.system', 'on', true)`);
    const used: { name: string }[] = await runner.query(`
      SELECT DISTINCT lower(used.zone) AS name FROM (
        SELECT timezone AS zone FROM tenants UNION ALL SELECT opening_hours ->> 'timezone' FROM departments) AS used
      WHERE used.zone IS NOT NULL`);
    for (const { name } of used.filter(({ name }) => isTimezone(name))) {
      const { text, values } = storedOffsets(name);
      await runner.query(text, values);
    }
    await runner.query(replaceViews(STORED_ZONES));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`${replaceViews(POSTGRESQL_ZONES)} DROP TABLE timezone_offsets`);
  }
}
