// npm run bench:export: exports 500,000 calls of one tenant as CSV over loopback. It compares the service with a bare
// COPY of the same statement, and measures the time to the first byte and the memory of the service.
import { createHash } from 'node:crypto';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { benchDatabase } from './support/database.mjs';
import { growthMib } from './support/memory.mjs';
import { freePort, startProcess } from './support/processes.mjs';
import { seedCalls } from './support/seed-calls.mjs';

const require = createRequire(import.meta.url);
const { callStatement } = require('../dist/src/exports/export-statements.js');
const { CsvLineEndings } = require('../dist/src/platform/database/csv-line-endings.js');
const { scopeStatement } = require('../dist/src/platform/database/scope.js');
const { inlineValues } = require('../dist/src/platform/database/inline-values.js');
const { sessionSettings } = require('../dist/src/platform/database/connections/session-settings.js');

const CALLS = 500_000;
/** Loads all code before memory is measured. */
const WARM_UP_CALLS = 1000;
const ROUNDS = 5;
const MIN_RATIO = 0.7;
const MAX_GROWTH_MIB = 64;
const MAX_FIRST_BYTE_MS = 1000;
const QUERY = { sort_by: 'inserted_at', sort_order: 'desc' };
/** An order without an index. */
const UNINDEXED = { sort_by: 'customer_name', sort_order: 'asc' };

/** Counts and hashes rows for the comparison, after `lineEndings` has converted their ends. */
class CsvHash {
  rows = 0;
  hash = createHash('sha256');

  constructor(lineEndings) {
    this.lineEndings = lineEndings;
  }

  add(chunk) {
    const converted = this.lineEndings ? this.lineEndings.convert(chunk) : chunk;
    this.hash.update(converted);
    for (let at = converted.indexOf('\n'); at !== -1; at = converted.indexOf('\n', at + 1)) this.rows++;
  }

  get digest() {
    return (this.hex ??= this.hash.digest('hex'));
  }
}

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const { tenant, email, password } = await seedCalls(database.url, CALLS);
  const port = await freePort();
  const settings = {
    NODE_ENV: 'development',
    DATABASE_URL: database.url,
    PORT: String(port),
    HOST: '127.0.0.1',
    API_RATE_LIMIT: '100000000',
    SEED_DEMO: 'false',
    LOG_FORMAT: 'json',
  };
  const service = await startProcess('dist/src/main.js', settings, `http://127.0.0.1:${port}/readyz`);
  cleanups.push(service);
  const authorization = `Bearer ${await logIn(port, tenant.slug, email, password)}`;
  const client = await connect();
  cleanups.push(() => client.end());
  const exportCalls = (query, hash) =>
    measureTransfer(
      (onData) => fetchCsv(`http://127.0.0.1:${port}/api/v1/export/calls.csv`, authorization, query, onData),
      hash,
    );
  const copyCalls = (query, hash) =>
    measureTransfer((onData) => copy(client, tenant.id, query, onData), hash);

  // The seed has one call per minute.
  const warmUp = { ...QUERY, date_from: new Date(Date.now() - WARM_UP_CALLS * 60_000).toISOString() };
  const { before: idle } = await growthMib(service.pid, () => exportCalls(warmUp));
  let fullExport;
  const memory = await growthMib(
    service.pid,
    async () => (fullExport = await exportCalls(QUERY, new CsvHash())),
  );
  const expected = await copyCalls(QUERY, new CsvHash(new CsvLineEndings()));
  if (fullExport.hash.digest !== expected.hash.digest || fullExport.hash.rows !== CALLS + 1) {
    throw new Error(`The two sides differ: ${fullExport.hash.rows} and ${expected.hash.rows} rows.`);
  }
  const rounds = await measure(exportCalls, copyCalls);
  const unindexed = await exportCalls(UNINDEXED);
  report(fullExport.bytes, rounds, unindexed, { idle, ...memory });
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

async function logIn(port, tenant, email, password) {
  const response = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenant, email, password }),
  });
  return (await response.json()).access_token;
}

async function connect() {
  const { url, options } = sessionSettings(database.url, database.role);
  const client = new pg.Client({ connectionString: url, options });
  await client.connect();
  return client;
}

/** Alternates between the two, so that other load on the machine affects both equally. */
async function measure(exportCalls, copyCalls) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await copyCalls(QUERY);
    rounds.push({ bare, service: await exportCalls(QUERY) });
  }
  return rounds;
}

/** Reads everything from `source` without delay. */
async function measureTransfer(source, hash) {
  const start = performance.now();
  let firstByte;
  let bytes = 0;
  await source((chunk) => {
    firstByte ??= performance.now() - start;
    bytes += chunk.length;
    hash?.add(chunk);
  });
  return { firstByte, bytes, rate: CALLS / ((performance.now() - start) / 1000), hash };
}

function fetchCsv(url, authorization, query, onData) {
  return new Promise((resolve, reject) => {
    get(`${url}?${new URLSearchParams(query)}`, { headers: { authorization } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
      response.on('data', onData).on('end', resolve).on('error', reject);
    }).on('error', reject);
  });
}

async function copy(client, tenantId, query, onData) {
  const user = { tenant_id: tenantId, user_id: tenantId, role: 'owner', restricted: false };
  await client.query('BEGIN READ ONLY');
  await client.query(scopeStatement({ tenantId }));
  const rows = client.query(
    copyTo(`COPY (${inlineValues(callStatement(user, query))}) TO STDOUT (FORMAT csv, HEADER)`),
  );
  await new Promise((resolve, reject) => {
    rows.on('data', onData).on('end', resolve).on('error', reject);
  });
  await client.query('COMMIT');
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

function report(bytes, rounds, unindexed, memory) {
  const of = (side, figure) => median(rounds.map((round) => round[side][figure]));
  const ratio = median(rounds.map(({ service, bare }) => service.rate / bare.rate));
  const firstByte = of('service', 'firstByte');
  console.log(`\n${CALLS} calls as CSV, ${(bytes / 1e6).toFixed(0)} MB, median of ${ROUNDS} rounds`);
  console.log(`  service           ${of('service', 'rate').toFixed(0)} rows/s`);
  console.log(`  bare COPY         ${of('bare', 'rate').toFixed(0)} rows/s`);
  console.log(`  service / bare    ${ratio.toFixed(2)} (at least ${MIN_RATIO})`);
  console.log(`  first byte        ${firstByte.toFixed(0)} ms (less than ${MAX_FIRST_BYTE_MS})`);
  console.log(
    `  without an index  ${unindexed.firstByte.toFixed(0)} ms, ${unindexed.rate.toFixed(0)} rows/s`,
  );
  console.log(
    `  resident memory   ${memory.idle.toFixed(0)} MiB idle, ${memory.before.toFixed(0)} after ${WARM_UP_CALLS} calls`,
  );
  console.log(`  growth            ${memory.growth.toFixed(1)} MiB (less than ${MAX_GROWTH_MIB})`);
  const slowest = Math.max(firstByte, unindexed.firstByte);
  if (ratio < MIN_RATIO || memory.growth >= MAX_GROWTH_MIB || slowest >= MAX_FIRST_BYTE_MS)
    process.exitCode = 1;
}
