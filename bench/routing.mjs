// npm run bench:routing: 1,000 agents, and lines of 1,000, 10,000 and 100,000 waiting calls in 50 departments. 20 agents a
// second become available; it measures the time until each has an offer. Then 300 agents become available at once; it
// compares the offers per second with a loop of the least SQL that finds and offers calls. The exit status is 1 if an offer
// takes too long, or if the time grows with the length of the line.
import { createRequire } from 'node:module';
import pg from 'pg';
import { benchDatabase } from './support/database.mjs';
import { httpClient } from './support/http-client.mjs';
import { freePort } from './support/processes.mjs';
import { median, progress, report, row } from './support/report.mjs';
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
const { PreparingClient } = require('../dist/src/platform/database/connections/preparing-client.js');
const { PasswordHasher } = require('../dist/src/identity/users/password-hasher.js');

const LENGTHS = [1000, 10_000, 100_000];
/** Agents with sockets, each of whom becomes available once a second. */
const AGENTS_WITH_SOCKETS = 20;
/** Agents who become available at once. */
const AGENTS_AT_ONCE = 300;
const WARM_UP_SECONDS = 3;
const SECONDS = 10;
const MAX_P99_MS = 1000;
const MAX_GROWTH = 2;

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
  const pool = new pg.Pool({ ...settings, Client: PreparingClient });
  cleanups.push(() => pool.end());
  let tokens;
  const rows = [];
  for (const length of LENGTHS) {
    progress(`${length} waiting calls`);
    await growLines(db, tenant.id, length);
    // Without the service, which would offer the same calls.
    const peer = await rateOfSql(db, pool, tenant.id, rest.slice(0, AGENTS_AT_ONCE));
    const service = await startService(database.url, SETTINGS);
    try {
      tokens ??= await logInAll(service.url);
      const { times, rate } = await turnsOf(service.url, ids, tokens);
      const value = await rateAtOnce(db, rest.slice(0, AGENTS_AT_ONCE));
      rows.push(rowOf(length, { times, rate, value, peer }));
    } finally {
      await service.stop();
    }
  }
  report(rows);
  const problem = problemOf(rows);
  if (problem) {
    console.error(problem);
    process.exitCode = 1;
  }
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

/** @returns offers per second of SQL alone */
async function rateOfSql(db, pool, tenantId, ids) {
  const client = await pool.connect();
  const rates = [];
  // The first round is not counted: statements are prepared in it.
  for (let round = 0; round < 2; round++) {
    await makeAvailable(db, ids);
    rates.push(await offerCalls(client, tenantId, ids));
    await pauseAgents(db, ids);
  }
  client.release();
  return rates[1];
}

/** @returns offers per second after the agents have become available at once, which the service notices within a second */
async function rateAtOnce(db, ids) {
  await makeAvailable(db, ids);
  let last = { offers: 0 };
  for (let unchanged = 0; unchanged < 4 && last.offers < ids.length;) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { rows } = await db.query(
      `SELECT count(*)::int AS offers, extract(epoch FROM max(offered_at) - min(offered_at))::float AS seconds
       FROM offers WHERE user_id = ANY ($1)`,
      [ids],
    );
    unchanged = rows[0].offers === last.offers ? unchanged + 1 : 0;
    last = rows[0];
  }
  await pauseAgents(db, ids);
  progress(`${last.offers} offers to ${ids.length} agents at once in ${last.seconds} s`);
  return (last.offers - 1) / last.seconds;
}

function rowOf(length, { times, rate, value, peer }) {
  const p99 = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)];
  const checks = [
    { label: 'available to offer, p50', value: median(times), unit: 'ms', target: 50, better: 'lower' },
    { label: 'available to offer, p99', value: p99, unit: 'ms', target: 250, better: 'lower' },
    { label: 'agents who became available', value: rate, unit: 'a second' },
  ];
  return row({ name: `routing_${length}`, value, unit: 'offers/s', peer, target: 0.5, checks });
}

/** @returns why the benchmark fails */
function problemOf(rows) {
  const [shortest, longest] = [rows[0], rows.at(-1)].map(({ checks: [p50, p99] }) => ({
    p50: p50.value,
    p99: p99.value,
  }));
  if (longest.p99 > MAX_P99_MS) return `The slowest offers take more than ${MAX_P99_MS} ms`;
  if (longest.p50 > MAX_GROWTH * shortest.p50)
    return `The time until an offer grows with the length of the line`;
  return undefined;
}
