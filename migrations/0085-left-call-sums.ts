import type { MigrationInterface, QueryRunner } from 'typeorm';
import { localHour, NOBODY, opened, POSTGRESQL_ZONES, type ZoneSql } from './0018-analytics';
import {
  count,
  DEPARTMENT,
  FORMER_COLUMNS,
  FORMER_SUMS,
  PARTS_OF_CALLS,
  stored,
  SUMS as FIRST_SUMS,
} from './0046-report-views';

const LEFT = `c.status = 'cancelled' AND COALESCE(c.left_after, c.wait_time) > t.service_level_seconds`;

/** Those of migration 46, and of calls that the customer left or whose connection was lost. */
export const LEFT_CALL_SUMS: Record<string, string> = {
  ...FIRST_SUMS,
  abandoned_late: count(
    `(c.status = 'abandoned' AND c.wait_time > t.service_level_seconds OR ${LEFT}) AND c.started_at IS NULL`,
  ),
  left_calls: count(LEFT),
  dropped_calls: count(`c.status = 'completed' AND c.end_reason = 'disconnect'`),
};

const VIEWS = ['call_hour_sums', 'agent_hour_sums'] as const;

/** The materialized views with a prefix, so that the present ones are read until their successors are complete. */
function materialized(sums: Record<string, string>, zones: ZoneSql): string {
  const all = Object.entries({ ...sums, ...FORMER_SUMS });
  const columns = all.map(([name, sql]) => `${sql} AS ${name}`).join(', ');
  const sumsOfSums = all.map(([name, sql]) =>
    name === 'longest_wait_time'
      ? `max(${name}) AS ${name}`
      : `sum(${name})${sql.slice(sql.lastIndexOf('::'))} AS ${name}`,
  );
  return `
    CREATE MATERIALIZED VIEW analytics.new_agent_hour_sums AS
      SELECT c.tenant_id, ${stored('c.user_id', 'user_id')}, ${stored('c.department_id', 'department_id')},
        ${localHour(zones)}, ${columns}
      FROM calls c JOIN ${zones.companies} t ON t.id = c.tenant_id LEFT JOIN ${PARTS_OF_CALLS} p ON p.call_id = c.id
      GROUP BY 1, 2, 3, 4, 5;
    CREATE UNIQUE INDEX new_agent_hour_sums_key
      ON analytics.new_agent_hour_sums (tenant_id, user_id, day, hour, department_id);
    CREATE INDEX new_agent_hour_sums_day_idx ON analytics.new_agent_hour_sums (tenant_id, day);
    CREATE MATERIALIZED VIEW analytics.new_call_hour_sums AS
      SELECT tenant_id, department_id, day, hour, ${sumsOfSums.join(', ')} FROM analytics.new_agent_hour_sums
      GROUP BY 1, 2, 3, 4;
    CREATE UNIQUE INDEX new_call_hour_sums_key ON analytics.new_call_hour_sums (tenant_id, day, hour, department_id);`;
}

/** The views that the service and its former releases read; new columns follow the present ones. */
const readable = (sums: Record<string, string>): string => `
  ${opened(
    'call_hour_sums',
    `tenant_id, ${DEPARTMENT}, day, hour, ${Object.keys(sums).join(', ')}`,
    'new_call_hour_sums WHERE true',
  )}
  ${opened(
    'agent_hour_sums',
    `tenant_id, user_id, ${DEPARTMENT}, day, hour, ${Object.keys(sums).join(', ')}`,
    `new_agent_hour_sums WHERE user_id <> '${NOBODY}'`,
  )}
  ${opened('call_hours', `tenant_id, ${DEPARTMENT}, day, hour, ${FORMER_COLUMNS}`, 'new_call_hour_sums WHERE true')}
  ${opened(
    'agent_hours',
    `tenant_id, user_id, ${DEPARTMENT}, day, hour, ${FORMER_COLUMNS}`,
    `new_agent_hour_sums WHERE user_id <> '${NOBODY}'`,
  )}`;

/** The function that refreshes the views names them, so the new ones get the names of the old ones. */
const EXCHANGE = `
  DROP MATERIALIZED VIEW ${VIEWS.map((view) => `analytics.${view}`).join(', ')};
  ${VIEWS.map(
    (view) => `ALTER MATERIALIZED VIEW analytics.new_${view} RENAME TO ${view};
  ALTER INDEX analytics.new_${view}_key RENAME TO ${view}_key;`,
  ).join('\n  ')}
  ALTER INDEX analytics.new_agent_hour_sums_day_idx RENAME TO agent_hour_sums_day_idx;`;

/**
 * Replaces the views by those with these sums, computed for the present settings of the companies.
 * @param losesColumns whether the present views have columns that the new ones lack: a view loses columns only if it is created again
 */
export const replaceSumViews = (
  sums: Record<string, string>,
  { losesColumns = false, zones = POSTGRESQL_ZONES } = {},
): string => `
  -- The scope is needed because the policies apply to the owner, too.
  SELECT set_config('app.system', 'on', true);
  -- The lock is that of a refresh, which waits.
  REFRESH MATERIALIZED VIEW CONCURRENTLY analytics.view_states;
  ${materialized(sums, zones)}
  ${losesColumns ? 'DROP VIEW call_hour_sums, agent_hour_sums;' : ''}
  ${readable(sums)}
  ${EXCHANGE}
  SELECT set_config('app.system', 'off', true);`;

/** Reports count who left the line after the service level as abandoned, and the calls whose connection was lost. */
export class LeftCallSums1780000000085 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(replaceSumViews(LEFT_CALL_SUMS));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(replaceSumViews(FIRST_SUMS, { losesColumns: true }));
  }
}
