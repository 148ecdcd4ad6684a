// The reports as plain aggregates over the calls: the service's own SQL for reports that no view can answer.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { agentReport, agentReportStatement } = require('../../dist/src/analytics/agents/agent-report.js');
const { fromCalls } = require('../../dist/src/analytics/call-sums.js');
const { callFigures } = require('../../dist/src/analytics/figures.js');
const { previousPeriodStart, parsePeriod } = require('../../dist/src/analytics/period.js');

const THRESHOLD = 20;

/** Whole days in the tenant's own time zone, which the views can answer, too. */
export function plainReports(tenantId, timezone, dates) {
  const scope = { tenant_id: tenantId };
  const now = new Date();
  const period = parsePeriod(dates, timezone, now);
  const source = fromCalls(scope, period, THRESHOLD);
  const query = new URLSearchParams(dates);
  const grouped = (group, by) => ({
    text: `SELECT ${group}, ${source.sums} FROM ${source.from} GROUP BY ${by}`,
    values: source.values,
  });
  return {
    days: {
      path: `trends?interval=day&${query}`,
      statement: grouped('c.day::text AS period', '1'),
      toResponseRow: (row) => ({ period: row.period, ...callFigures(row) }),
    },
    months: {
      path: `trends?interval=month&${query}`,
      statement: grouped(`date_trunc('month', c.day)::date::text AS period`, '1'),
      toResponseRow: (row) => ({ period: row.period, ...callFigures(row) }),
    },
    hours: {
      path: `hourly?${query}`,
      statement: grouped('extract(isodow FROM c.day)::int AS weekday, c.hour', '1, 2'),
      toResponseRow: (row) => ({ weekday: row.weekday, hour: row.hour, ...callFigures(row) }),
    },
    agents: {
      path: `agents?${query}`,
      statement: agentReportStatement({ scope, period, now, refreshed_at: null }, source),
      toResponseRow: agentReport,
    },
    overview: {
      path: `overview?${query}`,
      statement: overviewStatement(scope, period),
      toResponseRow: (row) => (row.is_before ? { previous: callFigures(row) } : callFigures(row)),
    },
  };
}

function overviewStatement(scope, period) {
  const bothPeriods = { ...period, from: previousPeriodStart(period) };
  const { from, sums, values } = fromCalls(scope, bothPeriods, THRESHOLD);
  const group = `c.inserted_at < $${values.length + 1} AS is_before`;
  return {
    text: `SELECT ${group}, ${sums} FROM ${from} GROUP BY 1`,
    values: [...values, period.from],
  };
}
