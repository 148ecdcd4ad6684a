// npm run bench:analytics: the reports of a tenant with a million calls in a year. It compares reports from
// materialized views with plain aggregates over the calls, and the overview of 30 days with that of a tenant without
// older calls.
import { setTimeout } from 'node:timers/promises';
import { DateTime } from 'luxon';
import { benchDatabase } from './support/database.mjs';
import { plainReports } from './support/plain-reports.mjs';
import { seedHistories } from './support/seed-history.mjs';
import { logIn, startService } from './support/service.mjs';
import {
  alternate,
  requestReport,
  connectAsService,
  ensureSameData,
  runInScope,
  timed,
} from './support/sides.mjs';

const CALLS = Number(process.env.BENCH_CALLS ?? 1_000_000);
const DAYS = 365;
const OVERVIEW_DAYS = 30;
const ROUNDS = 5;
/** Requests per round. The much slower plain aggregates run once per round. */
const REQUESTS = 3;
const MIN_RATIO = 10;
const PAUSE_PROBE_MS = 200;
/** Limits of the ratio between the overview's times with and without older calls. */
const HISTORY_RATIO = { min: 0.5, max: 1.5 };
const ZONE = 'America/Sao_Paulo';

const today = DateTime.now().setZone(ZONE);
const day = (ago) => today.minus({ days: ago }).toISODate();
const lastDays = (days) => ({ date_from: day(days), date_to: day(1) });

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
  console.log(`\nviews over HTTP, plain aggregate and ratio; medians of ${ROUNDS * REQUESTS} and ${ROUNDS}`);
  await compare('trends of a year, by day', year.days, request, runPlain, MIN_RATIO);
  await compare('trends of a year, by month', year.months, request, runPlain, MIN_RATIO);
  await compare('hourly of a year', year.hours, request, runPlain, MIN_RATIO);
  await compare('agents of a year', year.agents, request, runPlain);
  await compare('agents of 30 days', month.agents, request, runPlain);

  await explain(runPlain, month.overview.statement);
  await compareHistories(month.overview, year.overview, request, await logIn(service.url, young), runPlain);
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
  console.log(
    `${CALLS} calls in ${DAYS} days, ${result.young.calls} of them in the last ${2 * OVERVIEW_DAYS}`,
  );
  console.log(`made in ${formatSeconds(ms)}`);
  return result;
}

const refreshedAt = ({ result }) => result.data.refreshed_at;

async function measureRefresh(request) {
  const refresh = () => timed(() => request('POST', '/api/v1/analytics/refresh-views'));
  const first = await refresh();
  let again = await refresh();
  // During a long pause after a refresh, a request is answered at once.
  while (refreshedAt(again) === refreshedAt(first)) {
    await setTimeout(PAUSE_PROBE_MS);
    again = await refresh();
  }
  console.log(
    `views made in ${formatSeconds(first.ms)}, again with nothing changed in ${formatSeconds(again.ms)}`,
  );
}

async function compare(name, report, request, runPlain, minRatio) {
  ensureSameData(report, (await requestReport(request, report)).result, (await runPlain(report)).result.rows);
  const sides = {
    service: [REQUESTS, () => requestReport(request, report)],
    plain: [1, () => runPlain(report)],
  };
  const medians = await alternate(ROUNDS, sides);
  const ratio = medians.plain / medians.service;
  const limit = minRatio ? ` (at least ${minRatio})` : '';
  console.log(formatLine(name, medians.service, medians.plain) + `  ${ratio.toFixed(1)}${limit}`);
  if (ratio < minRatio) process.exitCode = 1;
}

/** Prints the plan of the overview's statement as the service's role sees it. @throws Error if it uses no index */
async function explain(runPlain, { text, values }) {
  const { result } = await runPlain({
    statement: { text: `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${text}`, values },
  });
  const lines = result.rows.map((row) => row['QUERY PLAN']);
  console.log(`\noverview of ${OVERVIEW_DAYS} days, and as many before\n${lines.join('\n')}`);
  if (lines.some((line) => line.includes('Seq Scan')) || !lines.some((line) => line.includes('Index'))) {
    console.error('The overview does not use an index.');
    process.exitCode = 1;
  }
}

async function compareHistories(overview, yearOverview, request, requestYoung, runPlain) {
  ensureSameData(
    overview,
    (await requestReport(request, overview)).result,
    (await runPlain(overview)).result.rows,
  );
  const medians = await alternate(ROUNDS, {
    whole: [REQUESTS, () => requestReport(request, overview)],
    young: [REQUESTS, () => requestReport(requestYoung, overview)],
    plain: [1, () => runPlain(yearOverview)],
  });
  const ratio = medians.whole / medians.young;
  console.log(`\noverview of ${OVERVIEW_DAYS} days over HTTP, median of ${ROUNDS * REQUESTS}`);
  console.log(formatLine('with a year of calls', medians.whole));
  console.log(formatLine(`with ${2 * OVERVIEW_DAYS} days of them`, medians.young));
  console.log(formatLine('plain aggregate of the year', medians.plain));
  console.log(`  ratio of the first two ${ratio.toFixed(2)} (${HISTORY_RATIO.min} to ${HISTORY_RATIO.max})`);
  if (ratio < HISTORY_RATIO.min || ratio > HISTORY_RATIO.max) process.exitCode = 1;
}

function formatLine(name, ...values) {
  return `  ${name.padEnd(30)}${values.map((ms) => `${ms.toFixed(1)} ms`.padStart(12)).join('')}`;
}

function formatSeconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
