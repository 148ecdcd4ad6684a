// npm run bench:routing: 1,000 agents, and lines of 1,000, 10,000 and 100,000 waiting calls in 50 departments. 50 agents a
// second become available; it measures the time until each has an offer. Then 100 agents become available at once; it
// compares the offers per second with a loop of the SQL that finds and offers calls. Finally two instances make 10,000
// offers, none of which may be made twice. The exit status is 1 if a target is missed or an offer is doubled.
import { createRequire } from 'node:module';
import pg from 'pg';
import { benchDatabase } from './support/database.mjs';
import { httpClient } from './support/http-client.mjs';
import { freePort } from './support/processes.mjs';
import { isMissed, median, progress, report, row } from './support/report.mjs';
import { RoutedAgent, takeTurns } from './support/routing-agents.mjs';
import {
  growLines,
  insertAgents,
  insertConnections,
  makeAvailable,
  pauseAgents,
} from './support/routing-data.mjs';
import { offerCalls } from './support/routing-sql.mjs';
import { createTenant, PASSWORD } from './support/seed-calls.mjs';
import { logIn, startService } from './support/service.mjs';

const require = createRequire(import.meta.url);
const { sessionSettings } = require('../dist/src/platform/database/connections/session-settings.js');
const { PasswordHasher } = require('../dist/src/identity/users/password-hasher.js');

const LENGTHS = [1000, 10_000, 100_000];
/** Agents with sockets, each of whom becomes available once a second. */
const AGENTS_WITH_SOCKETS = 50;
/** Agents who become available at once. */
const AGENTS_AT_ONCE = 100;
const ROUNDS_AT_ONCE = 5;
/** Offers of two instances, to all agents without sockets at once. */
const OFFERS_OF_TWO = Number(process.env.BENCH_OFFERS ?? 10_000);
const WARM_UP_SECONDS = 3;
const SECONDS = 7;
const MAX_P50_MS = 50;
const MAX_P99_MS = 250;
/** Agents who become available a second: a service that holds them up would have an easier load. */
const MIN_RATE = 49;
const MIN_RATIO = 0.5;

const SETTINGS = {
  JWT_SECRET: 'a secret of the benchmarks with enough characters',
  AUTH_RATE_LIMIT: '100000',
  AUTH_ADDRESS_RATE_LIMIT: '100000',
  PORT: String(await freePort()),
};

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  cleanups.push(() => db.end());
  const { tenant } = await createTenant(db, 'bench');
  const ids = await insertAgents(db, tenant.id, await new PasswordHasher().hash(PASSWORD));
  const rest = ids.slice(AGENTS_WITH_SOCKETS);
  await insertConnections(db, tenant.id, rest);
  await pauseAgents(db, ids);
  const { options } = sessionSettings(database.url, database.role);
  const settings = { connectionString: database.url, options, max: 1, pipeline: true };
  const pool = new pg.Pool(settings);
  cleanups.push(() => pool.end());
  let tokens;
  const rows = [];
  for (const length of LENGTHS) {
    progress(`${length} waiting calls`);
    await growLines(db, tenant.id, length);
    // Without the service, which would offer the same calls.
    const peer = await rateOfSql(db, pool, tenant.id, rest);
    const service = await startService(database.url, SETTINGS);
    try {
      tokens ??= await logInAll(service.url);
      const { times, rate } = await turnsOf(service.url, ids, tokens);
      const value = await rateAtOnce(db, rest);
      rows.push(rowOf(length, { times, rate, value, peer }));
    } finally {
      await service.stop();
    }
  }
  const doubled = await doubledByTwo(db, rest);
  report(rows);
  const missed = rows.filter(isMissed).map(({ name }) => name);
  if (missed.length > 0) console.error(`Targets are missed: ${missed.join(', ')}`);
  if (doubled > 0) console.error(`${doubled} offers were made twice`);
  if (missed.length + doubled > 0) process.exitCode = 1;
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

async function logInAll(url) {
  const numbers = Array.from({ length: AGENTS_WITH_SOCKETS }, (_, n) => n + 1);
  const tokens = [];
  for (const n of numbers) {
    const { token } = await logIn(url, {
      slug: 'bench',
      email: `agent${n}@bench.example`,
      password: PASSWORD,
    });
    tokens.push(token);
  }
  return tokens;
}

/** @returns the times until offers, and how many agents became available per second */
async function turnsOf(url, ids, tokens) {
  const request = httpClient(url, AGENTS_WITH_SOCKETS);
  const agents = tokens.map((token, n) => new RoutedAgent(ids[n], token, request));
  await Promise.all(agents.map((agent) => agent.connect(url)));
  await takeTurns(agents, WARM_UP_SECONDS);
  const turns = await takeTurns(agents, SECONDS);
  await Promise.all(agents.map((agent) => agent.disconnect()));
  return turns;
}

/** @returns offers per second of SQL alone, the median of several rounds */
async function rateOfSql(db, pool, tenantId, ids) {
  const client = await pool.connect();
  const rates = [];
  try {
    for (const some of groupsOf(ids)) {
      await makeAvailable(db, some);
      rates.push(await offerCalls(client, tenantId, some));
      await pauseAgents(db, some);
    }
  } finally {
    client.release();
  }
  return median(rates);
}

/** @returns offers per second to agents who become available at once, which a sweep notices; the median of several rounds */
async function rateAtOnce(db, ids) {
  const rates = [];
  for (const some of groupsOf(ids)) {
    const { offers, seconds } = await offersAtOnce(db, some);
    if (offers < some.length) throw new Error(`${some.length - offers} agents have no offer`);
    rates.push((offers - 1) / seconds);
  }
  return median(rates);
}

function groupsOf(ids) {
  const rounds = Array.from({ length: ROUNDS_AT_ONCE }, (_, n) => n * AGENTS_AT_ONCE);
  return rounds.map((from) => ids.slice(from, from + AGENTS_AT_ONCE));
}

/** Lets the agents become available at once, waits for their offers and lets them pause. */
async function offersAtOnce(db, ids) {
  await makeAvailable(db, ids);
  let last;
  for (let unchanged = 0, offers = 0; unchanged < 4 && offers < ids.length; offers = last.offers) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { rows } = await db.query(
      `SELECT count(*)::int AS offers, count(DISTINCT user_id)::int AS agents, count(DISTINCT call_id)::int AS calls,
         extract(epoch FROM max(offered_at) - min(offered_at))::float AS seconds
       FROM offers WHERE user_id = ANY ($1)`,
      [ids],
    );
    last = rows[0];
    unchanged = last.offers === offers ? unchanged + 1 : 0;
  }
  await pauseAgents(db, ids);
  return last;
}

/** Lets two instances offer calls to the same agents. @returns how many offers had a call or an agent of another one */
async function doubledByTwo(db, ids) {
  const instances = [];
  for (let n = 0; n < 2; n++)
    instances.push(await startService(database.url, { ...SETTINGS, PORT: String(await freePort()) }));
  let made = 0;
  let doubled = 0;
  try {
    while (made < OFFERS_OF_TWO) {
      const { offers, agents, calls } = await offersAtOnce(db, ids);
      if (offers < ids.length) throw new Error(`${ids.length - offers} agents have no offer`);
      made += offers;
      doubled += offers - Math.min(agents, calls);
      progress(`${made} offers of two instances, ${doubled} doubled`);
    }
  } finally {
    for (const { stop } of instances) await stop();
  }
  return doubled;
}

function rowOf(length, { times, rate, value, peer }) {
  const p99 = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)];
  const checks = [
    {
      label: 'available to offer, p50',
      value: median(times),
      unit: 'ms',
      target: MAX_P50_MS,
      better: 'lower',
    },
    { label: 'available to offer, p99', value: p99, unit: 'ms', target: MAX_P99_MS, better: 'lower' },
    {
      label: 'agents who became available',
      value: rate,
      unit: 'a second',
      target: MIN_RATE,
      better: 'higher',
    },
  ];
  return row({ name: `routing_${length}`, value, unit: 'offers/s', peer, target: MIN_RATIO, checks });
}
