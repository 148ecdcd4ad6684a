// npm run bench:list: requests a page of 20 calls out of 200,000 of one tenant, by status, newest first. It compares
// the service with a bare Express handler that sends the same statements through pg, and measures the cost of the
// scope.
import { createRequire } from 'node:module';
import autocannon from 'autocannon';
import pg from 'pg';
import { benchDatabase } from './support/database.mjs';
import { freePort, startProcess } from './support/processes.mjs';
import { seedCalls } from './support/seed-calls.mjs';

const require = createRequire(import.meta.url);
const { callListSource } = require('../dist/src/calls/staff/call-list.js');
const { pageStatement } = require('../dist/src/platform/database/list-statements.js');
const { scopeStatement } = require('../dist/src/platform/database/scope.js');
const { sessionSettings } = require('../dist/src/platform/database/connections/session-settings.js');

const CALLS = 200_000;
const ROUNDS = 5;
const SECONDS = 4;
const CONNECTIONS = 10;
const MIN_RATIO = 0.7;
const QUERY = { page: 1, page_size: 20, sort_by: 'inserted_at', sort_order: 'desc', status: 'completed' };

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const { tenant, email, password } = await seedCalls(database.url, CALLS);
  const user = { tenant_id: tenant.id, user_id: tenant.id, role: 'owner', restricted: false };
  const rows = pageStatement(callListSource(user, QUERY), QUERY);
  const scope = scopeStatement({ tenantId: tenant.id });
  await explain(rows, scope);

  const servicePort = await freePort();
  const barePort = await freePort();
  const options = sessionSettings(database.url, database.role).options;
  cleanups.push(
    await startProcess(
      'dist/src/main.js',
      {
        NODE_ENV: 'development',
        DATABASE_URL: database.url,
        PORT: String(servicePort),
        HOST: '127.0.0.1',
        API_RATE_LIMIT: '100000000',
        SEED_DEMO: 'false',
        LOG_FORMAT: 'json',
      },
      `http://127.0.0.1:${servicePort}/readyz`,
    ),
    await startProcess(
      'bench/support/bare-express.mjs',
      {
        DATABASE_URL: database.url,
        PORT: String(barePort),
        BENCH_ROLE_OPTIONS: options,
        BENCH_STATEMENTS: JSON.stringify({ scope, rows }),
      },
      `http://127.0.0.1:${barePort}/ready`,
    ),
  );
  const authorization = `Bearer ${await logIn(servicePort, tenant.slug, email, password)}`;
  const query = new URLSearchParams(QUERY);
  const sides = {
    service: { url: `http://127.0.0.1:${servicePort}/api/v1/calls?${query}`, headers: { authorization } },
    bare: { url: `http://127.0.0.1:${barePort}/plain` },
    pipelined: { url: `http://127.0.0.1:${barePort}/pipelined` },
    unscoped: { url: `http://127.0.0.1:${barePort}/unscoped` },
  };
  await ensureSameData(sides);
  report(await measure(sides));
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

/** Prints the plan as the service's role sees it. @throws Error if it uses no index */
async function explain(rows, scope) {
  const client = new pg.Client({
    connectionString: database.url,
    options: sessionSettings(database.url, database.role).options,
  });
  await client.connect();
  await client.query('BEGIN');
  await client.query(scope);
  const plan = await client.query({ text: `EXPLAIN (ANALYZE, COSTS OFF) ${rows.text}`, values: rows.values });
  await client.end();
  const lines = plan.rows.map((row) => row['QUERY PLAN']);
  console.log(lines.join('\n'));
  if (lines.some((line) => line.includes('Seq Scan')) || !lines.some((line) => line.includes('Index'))) {
    console.error('The list does not use its index.');
    process.exitCode = 1;
  }
}

async function logIn(port, tenant, email, password) {
  const response = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenant, email, password }),
  });
  return (await response.json()).access_token;
}

/** Checks that both do the same work; otherwise the figures would not be comparable. */
async function ensureSameData(sides) {
  const [service, bare] = await Promise.all(
    [sides.service, sides.bare].map(async ({ url, headers }) => (await fetch(url, { headers })).json()),
  );
  if (service.data?.length !== 20 || JSON.stringify(service.data) !== JSON.stringify(bare.data)) {
    throw new Error('The two sides answer differently.');
  }
}

/** Alternates between the servers, so that other load on the machine affects all of them equally. */
async function measure(sides) {
  const figures = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (const side of Object.values(sides))
    await autocannon({ ...side, connections: CONNECTIONS, duration: 2 });
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, side] of Object.entries(sides)) {
      const result = await autocannon({ ...side, connections: CONNECTIONS, duration: SECONDS });
      if (result.non2xx > 0 || result.errors > 0) throw new Error(`${name}: ${result.non2xx} failures`);
      figures[name].push({ rate: result.requests.average, p99: result.latency.p99 });
    }
  }
  return figures;
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

function report(figures) {
  const rate = Object.fromEntries(
    Object.entries(figures).map(([name, rounds]) => [name, median(rounds.map((round) => round.rate))]),
  );
  const ratio = median(figures.service.map((round, index) => round.rate / figures.bare[index].rate));
  console.log(`\nlist of 20 out of ${CALLS} calls, ${CONNECTIONS} connections, median of ${ROUNDS} rounds`);
  console.log(`  service                     ${rate.service.toFixed(0)} requests/s`);
  console.log(`  bare Express, same scope    ${rate.bare.toFixed(0)} requests/s`);
  console.log(`  the same, pipelined         ${rate.pipelined.toFixed(0)} requests/s`);
  console.log(`  bare Express, no scope      ${rate.unscoped.toFixed(0)} requests/s`);
  console.log(`  service / bare              ${ratio.toFixed(2)} (at least ${MIN_RATIO})`);
  const cost = (scoped) => ((1 / scoped - 1 / rate.unscoped) * 1e6).toFixed(0);
  console.log(
    `  the scope costs             ${cost(rate.bare)} µs a request, pipelined ${cost(rate.pipelined)} µs`,
  );
  if (ratio < MIN_RATIO) process.exitCode = 1;
}
