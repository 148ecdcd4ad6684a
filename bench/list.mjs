// npm run bench:list: requests a page of 20 calls out of 200,000 of one tenant, by status, newest first, and the
// details of a call. It compares the service with bare Express handlers that send the same statements through pg, each by itself
// (the service sends those that begin its transaction in one text).
import { createRequire } from 'node:module';
import autocannon from 'autocannon';
import { benchDatabase } from './support/database.mjs';
import { freePort, startProcess } from './support/processes.mjs';
import { median, progress, report, row } from './support/report.mjs';
import { seedCalls } from './support/seed-calls.mjs';
import { logIn, startService } from './support/service.mjs';
import { connectAsService, explain, runInScope, settingsText } from './support/sides.mjs';

const require = createRequire(import.meta.url);
const { callDetailsStatement, callListSource } = require('../dist/src/calls/staff/call-list.js');
const { pageStatement } = require('../dist/src/platform/database/list-statements.js');
const { preparedPage } = require('../dist/src/platform/database/prepared-page.js');
const { scopeStatement } = require('../dist/src/platform/database/scope.js');
const { sessionSettings } = require('../dist/src/platform/database/connections/session-settings.js');

const CALLS = 200_000;
const ROUNDS = 3;
const SECONDS = 2;
/** Until V8 has compiled what is used again and again: it takes the service 0.1 ms of CPU a request after 3 s, later nearly nothing. */
const WARM_UP_REQUESTS = 10_000;
const CONNECTIONS = 10;
const TARGET = 0.5;
const QUERY = { page: 1, page_size: 20, sort_by: 'inserted_at', sort_order: 'desc', status: 'completed' };

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const { tenant, email, password } = await seedCalls(database.url, CALLS, { isBare: true });
  const user = { tenant_id: tenant.id, user_id: tenant.id, role: 'owner', restricted: false };
  const source = callListSource(user, QUERY, {});
  const rows = pageStatement(source, QUERY);
  const page = preparedPage(source, QUERY);
  const callId = await prepare(tenant.id, rows);
  const details = callDetailsStatement(user, callId);

  const service = await startService(database.url);
  cleanups.push(service.stop);
  const { token } = await logIn(service.url, { slug: tenant.slug, email, password });
  const bareUrl = await startBare({
    scope: { ...scopeStatement({ tenantId: tenant.id }), name: 'scope' },
    rows,
    details: { ...details, name: 'details' },
    prepared: [
      { text: settingsText(page.settings), name: 'settings' },
      { ...page, name: 'page' },
    ],
  });
  const headers = { authorization: `Bearer ${token}` };
  const list = {
    service: { url: `${service.url}/api/v1/calls?${new URLSearchParams(QUERY)}`, headers },
    prepared: { url: `${bareUrl}/prepared` },
    pipelined: { url: `${bareUrl}/pipelined` },
    awaited: { url: `${bareUrl}/awaited` },
    unscoped: { url: `${bareUrl}/unscoped` },
  };
  const oneCall = {
    service: { url: `${service.url}/api/v1/calls/${callId}`, headers },
    prepared: { url: `${bareUrl}/details` },
    pipelined: { url: `${bareUrl}/details-unprepared` },
  };
  await ensureSameData(list, 20);
  await ensureSameData(oneCall);
  report([rowOf('list', await measure(list)), rowOf('details', await measure(oneCall))]);
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

/** Prints the list's plan as the service's role sees it. @returns the id of its first call */
async function prepare(tenantId, statement) {
  const client = await connectAsService(database);
  const run = (sent) => runInScope(client, tenantId, sent);
  progress((await explain(run, statement)).join('\n'));
  const { result } = await run(statement);
  await client.end();
  return result.rows[0].id;
}

async function startBare(statements) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: database.url,
    PORT: String(port),
    BENCH_ROLE_OPTIONS: sessionSettings(database.url, database.role).options,
    BENCH_STATEMENTS: JSON.stringify(statements),
  };
  cleanups.push(await startProcess('bench/support/bare-express.mjs', env, `${url}/ready`));
  return url;
}

/** Checks that both do the same work; otherwise the figures would not be comparable. */
async function ensureSameData({ service, prepared }, length) {
  const [own, bare] = await Promise.all(
    [service, prepared].map(async ({ url, headers }) => (await fetch(url, { headers })).json()),
  );
  if (own.data?.length !== length || JSON.stringify(own.data) !== JSON.stringify(bare.data)) {
    throw new Error('The two sides answer differently.');
  }
}

/**
 * Alternates between the servers, so that other load on the machine affects all of them equally.
 * @returns the median of each in requests per second
 */
async function measure(sides) {
  const rates = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (const side of Object.values(sides))
    await autocannon({ ...side, connections: CONNECTIONS, amount: WARM_UP_REQUESTS });
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, side] of Object.entries(sides)) {
      const result = await autocannon({ ...side, connections: CONNECTIONS, duration: SECONDS });
      if (result.non2xx > 0 || result.errors > 0) throw new Error(`${name}: ${result.non2xx} failures`);
      rates[name].push(result['2xx'] / result.duration);
    }
  }
  return Object.fromEntries(Object.entries(rates).map(([name, values]) => [name, median(values)]));
}

/** The peer prepares its statements as the service does; further peers become further fields. */
function rowOf(name, { service, prepared, ...others }) {
  return row({ name, value: service, unit: 'requests/s', peer: prepared, target: TARGET, ...others });
}
