// npm run bench:export: exports 500,000 calls of one tenant as CSV over loopback. It compares the service with a bare
// COPY of the same statement, and measures the time to the first byte and the memory of the service.
import { createHash } from 'node:crypto';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { to as copyTo } from 'pg-copy-streams';
import { benchDatabase } from './support/database.mjs';
import { growthMib } from './support/memory.mjs';
import { median, progress, report, row } from './support/report.mjs';
import { seedCalls } from './support/seed-calls.mjs';
import { logIn, startService } from './support/service.mjs';
import { connectAsService } from './support/sides.mjs';

const require = createRequire(import.meta.url);
const { callStatement } = require('../dist/src/exports/export-statements.js');
const { CsvLineEndings } = require('../dist/src/exports/csv-line-endings.js');
const { scopeStatement } = require('../dist/src/platform/database/scope.js');
const { inlineValues } = require('../dist/src/exports/inline-values.js');

const CALLS = Number(process.env.BENCH_CALLS ?? 500_000);
/** Loads all code before memory is measured. */
const WARM_UP_CALLS = 1000;
const ROUNDS = 3;
const TARGET = 0.8;
const MAX_GROWTH_MIB = 64;
const MAX_FIRST_BYTE_MS = 1000;
/** After a long export a company's next large read waits for up to 8 s (LargeReadBudget), which is not to be measured. */
const BUDGET_PAUSE_MS = 8500;
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
  const { tenant, email, password } = await seedCalls(database.url, CALLS, { isBare: true });
  const service = await startService(database.url);
  cleanups.push(service.stop);
  const { token } = await logIn(service.url, { slug: tenant.slug, email, password });
  const client = await connectAsService(database);
  cleanups.push(() => client.end());
  const exportCalls = (query, hash) =>
    measureTransfer(
      (onData) => fetchCsv(`${service.url}/api/v1/export/calls.csv`, token, query, onData),
      hash,
    );
  const copyCalls = (query, hash) =>
    measureTransfer((onData) => copy(client, tenant.id, query, onData), hash);

  // The seed has one call per minute.
  const warmUp = { ...QUERY, date_from: new Date(Date.now() - WARM_UP_CALLS * 60_000).toISOString() };
  const { before: idle } = await growthMib(service.stop.pid, () => exportCalls(warmUp));
  let fullExport;
  const memory = await growthMib(
    service.stop.pid,
    async () => (fullExport = await exportCalls(QUERY, new CsvHash())),
  );
  const expected = await copyCalls(QUERY, new CsvHash(new CsvLineEndings()));
  if (fullExport.hash.digest !== expected.hash.digest || fullExport.hash.rows !== CALLS + 1) {
    throw new Error(`The two sides differ: ${fullExport.hash.rows} and ${expected.hash.rows} rows.`);
  }
  const rounds = await measure(exportCalls, copyCalls);
  await setTimeout(BUDGET_PAUSE_MS);
  const unindexed = await exportCalls(UNINDEXED);
  const result = rowOf(rounds, unindexed, memory);
  progress(
    `${CALLS} calls, ${(fullExport.bytes / 1e6).toFixed(0)} MB, resident memory ${idle.toFixed(0)} MiB idle`,
  );
  progress(
    `first byte ${result.first_byte_ms.toFixed(0)} ms, ${result.unindexed_first_byte_ms.toFixed(0)} without index`,
  );
  progress(`growth ${memory.growth.toFixed(1)} MiB (less than ${MAX_GROWTH_MIB})`);
  report([result]);
  ensureWithinLimits(result);
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

/** Alternates between the two, so that other load on the machine affects both equally. */
async function measure(exportCalls, copyCalls) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await copyCalls(QUERY);
    await setTimeout(BUDGET_PAUSE_MS);
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

function fetchCsv(url, token, query, onData) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    get(`${url}?${new URLSearchParams(query)}`, { headers }, (response) => {
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
    copyTo(`COPY (${inlineValues(callStatement(user, query, {}))}) TO STDOUT (FORMAT csv, HEADER)`),
  );
  await new Promise((resolve, reject) => {
    rows.on('data', onData).on('end', resolve).on('error', reject);
  });
  await client.query('COMMIT');
}

function rowOf(rounds, unindexed, memory) {
  const of = (side, figure) => median(rounds.map((round) => round[side][figure]));
  return row({
    name: 'export',
    value: of('service', 'rate'),
    unit: 'rows/s',
    peer: of('bare', 'rate'),
    target: TARGET,
    first_byte_ms: of('service', 'firstByte'),
    unindexed_first_byte_ms: unindexed.firstByte,
    growth_mib: memory.growth,
  });
}

/** @throws Error if a first byte came too late, or the service took too much memory */
function ensureWithinLimits({ first_byte_ms, unindexed_first_byte_ms, growth_mib }) {
  if (Math.max(first_byte_ms, unindexed_first_byte_ms) >= MAX_FIRST_BYTE_MS)
    throw new Error(`The first byte came later than ${MAX_FIRST_BYTE_MS} ms.`);
  if (growth_mib >= MAX_GROWTH_MIB) throw new Error(`The memory grew by more than ${MAX_GROWTH_MIB} MiB.`);
}
