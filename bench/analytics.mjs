// npm run bench:analytics: the reports of a tenant with a million calls in a year. It compares reports from
// materialized views with plain aggregates over the calls, and the overview of 30 days with that of a tenant without
// older calls.
import { DateTime } from 'luxon';
import { benchDatabase } from './support/database.mjs';
import { plainReports } from './support/plain-reports.mjs';
import { progress, report, row } from './support/report.mjs';
import { seedHistories } from './support/seed-history.mjs';
import { logIn, startService } from './support/service.mjs';
import {
  alternate,
  requestReport,
  connectAsService,
  ensureSameData,
  explain,
  runInScope,
  timed,
} from './support/sides.mjs';

const CALLS = Number(process.env.BENCH_CALLS ?? 1_000_000);
const DAYS = Number(process.env.BENCH_DAYS ?? 365);
const OVERVIEW_DAYS = 30;
const ROUNDS = 3;
/** Requests per round. The much slower plain aggregates run once per round. */
const REQUESTS = 3;
/** Reports from views take at most this part of the plain aggregate's time. */
const VIEW_TARGET = 0.1;
/** The overview takes at most this many times longer with older calls than without. */
const HISTORY_TARGET = 1.5;
const ZONE = 'America/Sao_Paulo';

const today = DateTime.now().setZone(ZONE);
const day = (ago) => today.minus({ days: ago }).toISODate();
/** Views answer for days that have been over for a day. */
const lastDays = (days) => ({ date_from: day(days + 1), date_to: day(2) });

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const { large, young } = await seed();
  const service = await startService(database.url);
  cleanups.push(service.stop);
  const client = await connectAsService(database);
  cleanups.push(() => client.end());
  const request = await logIn(service.url, large);
  await measureRefresh(request);

  const year = plainReports(large.id, ZONE, lastDays(DAYS));
  const month = plainReports(large.id, ZONE, lastDays(OVERVIEW_DAYS));
  const runPlain = ({ statement }) => runInScope(client, large.id, statement);
  const rows = [];
  for (const [name, plain, target] of [
    ['analytics', year.days, VIEW_TARGET],
    ['analytics_months', year.months, VIEW_TARGET],
    ['analytics_hours', year.hours, VIEW_TARGET],
    ['analytics_agents', year.agents],
    ['analytics_agents_month', month.agents],
  ]) {
    rows.push(await compare(name, plain, request, runPlain, target));
  }
  progress((await explain((statement) => runPlain({ statement }), month.overview.statement)).join('\n'));
  const requestYoung = await logIn(service.url, young);
  rows.push(await compareHistories(month.overview, year.overview, request, requestYoung, runPlain));
  report(rows);
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

async function seed() {
  const { result, ms } = await timed(() =>
    seedHistories(database.url, {
      today: today.toISODate(),
      calls: CALLS,
      days: DAYS,
      youngDays: 2 * OVERVIEW_DAYS,
    }),
  );
  progress(`${CALLS} calls in ${DAYS} days, ${result.young.calls} of them in the last ${2 * OVERVIEW_DAYS}`);
  progress(`made in ${formatSeconds(ms)}`);
  return result;
}

/** Makes the views. Further refreshes are limited to a tenth of the time. */
async function measureRefresh(request) {
  const { ms } = await timed(() => request('POST', '/api/v1/analytics/refresh-views'));
  progress(`views made in ${formatSeconds(ms)}`);
}

async function compare(name, plain, request, runPlain, target) {
  ensureSameData(plain, (await requestReport(request, plain)).result, (await runPlain(plain)).result.rows);
  const medians = await alternate(ROUNDS, {
    service: [REQUESTS, () => requestReport(request, plain)],
    plain: [1, () => runPlain(plain)],
  });
  return row({ name, value: medians.service, unit: 'ms', peer: medians.plain, target, better: 'lower' });
}

/** Compares the overview of 30 days with that of a tenant without older calls. */
async function compareHistories(overview, yearOverview, request, requestYoung, runPlain) {
  const { result } = await requestReport(request, overview);
  ensureSameData(overview, result, (await runPlain(overview)).result.rows);
  const { whole, young, plain } = await alternate(ROUNDS, {
    whole: [REQUESTS, () => requestReport(request, overview)],
    young: [REQUESTS, () => requestReport(requestYoung, overview)],
    plain: [1, () => runPlain(yearOverview)],
  });
  const figures = { value: whole, unit: 'ms', peer: young, plain_year_ms: plain };
  return row({ name: 'analytics_overview', ...figures, target: HISTORY_TARGET, better: 'lower' });
}

function formatSeconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
