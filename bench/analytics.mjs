// npm run bench:analytics: the reports of a tenant with a million calls in a year. It compares reports from
// materialized views with plain aggregates over the calls, and the overview of 30 days with that of a tenant without
// older calls.
import { DateTime } from 'luxon';
import { benchDatabase } from './support/database.mjs';
import { plainReports } from './support/plain-reports.mjs';
import { seedHistories } from './support/seed-history.mjs';
import { logIn, startService } from './support/service.mjs';
import {
  alternate,
  askFor,
  connectAsService,
  ensureSameAnswer,
  runInScope,
  timed,
} from './support/sides.mjs';

const CALLS = Number(process.env.BENCH_CALLS ?? 1_000_000);
const DAYS = 365;
const OVERVIEW_DAYS = 30;
const ROUNDS = 5;
/** Requests per round. The much slower plain aggregates run once per round. */
const REQUESTS = 3;
const LEAST_RATIO = 10;
/** Limits of the ratio between the overview's times with and without older calls. */
const HISTORY_RATIO = { least: 0.5, most: 1.5 };
const ZONE = 'America/Sao_Paulo';

const today = DateTime.now().setZone(ZONE);
const day = (ago) => today.minus({ days: ago }).toISODate();
const last = (days) => ({ date_from: day(days), date_to: day(1) });

const database = await benchDatabase();
const stops = [database.stop];
try {
  const { large, young } = await seed();
  const service = await startService(database.url);
  stops.push(service.stop);
  const client = await connectAsService(database);
  stops.push(() => client.end());
  const ask = await logIn(service.url, large);
  await measureRefresh(ask);

  const year = plainReports(large.id, ZONE, last(DAYS));
  const month = plainReports(large.id, ZONE, last(OVERVIEW_DAYS));
  const plain = ({ statement }) => runInScope(client, large.id, statement);
  console.log(`\nviews over HTTP, plain aggregate and ratio; medians of ${ROUNDS * REQUESTS} and ${ROUNDS}`);
  await compare('trends of a year, by day', year.days, ask, plain, LEAST_RATIO);
  await compare('trends of a year, by month', year.months, ask, plain, LEAST_RATIO);
  await compare('hourly of a year', year.hours, ask, plain, LEAST_RATIO);
  await compare('agents of a year', year.agents, ask, plain);
  await compare('agents of 30 days', month.agents, ask, plain);

  await explain(plain, month.overview.statement);
  await compareHistories(month.overview, year.overview, ask, await logIn(service.url, young), plain);
} finally {
  for (const stop of stops.toReversed()) await stop();
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
  console.log(`made in ${inSeconds(ms)}`);
  return result;
}

async function measureRefresh(ask) {
  const refresh = () => timed(() => ask('POST', '/api/v1/analytics/refresh-views'));
  const first = await refresh();
  const again = await refresh();
  console.log(`views made in ${inSeconds(first.ms)}, again with nothing changed in ${inSeconds(again.ms)}`);
}

async function compare(name, report, ask, plain, leastRatio) {
  ensureSameAnswer(report, (await askFor(ask, report)).result, (await plain(report)).result.rows);
  const sides = { service: [REQUESTS, () => askFor(ask, report)], plain: [1, () => plain(report)] };
  const medians = await alternate(ROUNDS, sides);
  const ratio = medians.plain / medians.service;
  const limit = leastRatio ? ` (at least ${leastRatio})` : '';
  console.log(line(name, medians.service, medians.plain) + `  ${ratio.toFixed(1)}${limit}`);
  if (ratio < leastRatio) process.exitCode = 1;
}

/** Prints the plan of the overview's statement as the service's role sees it. @throws Error if it uses no index */
async function explain(plain, { text, values }) {
  const { result } = await plain({
    statement: { text: `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${text}`, values },
  });
  const lines = result.rows.map((row) => row['QUERY PLAN']);
  console.log(`\noverview of ${OVERVIEW_DAYS} days, and as many before\n${lines.join('\n')}`);
  if (lines.some((line) => line.includes('Seq Scan')) || !lines.some((line) => line.includes('Index'))) {
    console.error('The overview does not use an index.');
    process.exitCode = 1;
  }
}

async function compareHistories(overview, ofYear, ask, askYoung, plain) {
  ensureSameAnswer(overview, (await askFor(ask, overview)).result, (await plain(overview)).result.rows);
  const medians = await alternate(ROUNDS, {
    whole: [REQUESTS, () => askFor(ask, overview)],
    young: [REQUESTS, () => askFor(askYoung, overview)],
    plain: [1, () => plain(ofYear)],
  });
  const ratio = medians.whole / medians.young;
  console.log(`\noverview of ${OVERVIEW_DAYS} days over HTTP, median of ${ROUNDS * REQUESTS}`);
  console.log(line('with a year of calls', medians.whole));
  console.log(line(`with ${2 * OVERVIEW_DAYS} days of them`, medians.young));
  console.log(line('plain aggregate of the year', medians.plain));
  console.log(
    `  ratio of the first two ${ratio.toFixed(2)} (${HISTORY_RATIO.least} to ${HISTORY_RATIO.most})`,
  );
  if (ratio < HISTORY_RATIO.least || ratio > HISTORY_RATIO.most) process.exitCode = 1;
}

function line(name, ...values) {
  return `  ${name.padEnd(30)}${values.map((ms) => `${ms.toFixed(1)} ms`.padStart(12)).join('')}`;
}

function inSeconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
