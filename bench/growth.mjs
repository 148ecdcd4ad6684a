// npm run bench:growth: what each operation costs with 100 to 5,000 waiting customers, 100,000 to a million finished
// calls (ten millions with --full), and 10 to 1,000 tenants. `--only waiting`, `--only calls` or `--only tenants` measures
// one of the three. Takes up to 12 minutes.
import { parseArgs } from 'node:util';
import pg from 'pg';
import { benchDatabase } from './support/database.mjs';
import {
  insertFinishedCalls,
  insertTenants,
  insertWaitingCalls,
  readTenants,
} from './support/growth-data.mjs';
import { Measurement, OPERATIONS } from './support/growth-operations.mjs';
import { httpClient } from './support/http-client.mjs';
import { progress, report, row } from './support/report.mjs';
import { logIn, startService } from './support/service.mjs';

const { values: options } = parseArgs({
  options: { full: { type: 'boolean' }, json: { type: 'boolean' }, only: { type: 'string' } },
});

/** An operation that is slower by more than this factor grows. Smaller differences are within the noise. */
const MAX_RATIO = 1.5;
/** Tenants that send requests. */
const ACTIVE_TENANTS = 10;
const LIMITS = { PUBLIC_RATE_LIMIT: '100000000', AUTH_RATE_LIMIT: '1000', AUTH_ADDRESS_RATE_LIMIT: '1000' };

/** The sizes take turns, so that other load on the machine affects all of them. */
const ROUNDS = 4;

const DIMENSIONS = {
  waiting: {
    sizes: [100, 1000, 5000],
    fill: async (db, size) => {
      await insertTenants(db, 1);
      await insertFinishedCalls(db, 10_000);
      await insertWaitingCalls(db, size);
    },
  },
  calls: {
    sizes: [100_000, 1_000_000, ...(options.full ? [10_000_000] : [])],
    fill: async (db, size) => {
      await insertTenants(db, 1);
      await insertFinishedCalls(db, size);
      await insertWaitingCalls(db, 10);
    },
  },
  tenants: {
    sizes: [10, 100, 1000],
    fill: async (db, size) => {
      await insertTenants(db, size);
      await insertFinishedCalls(db, 500);
      await insertWaitingCalls(db, 10);
    },
  },
};

const names = options.only ? [options.only] : Object.keys(DIMENSIONS);
const rows = [];
for (const name of names) rows.push(...(await measureDimension(name, DIMENSIONS[name])));
report(rows);

/** @returns a row of the report for each operation */
async function measureDimension(name, { sizes, fill }) {
  const scenes = [];
  const cleanups = [];
  try {
    for (const size of sizes) {
      const begin = performance.now();
      scenes.push(await openScene((db) => fill(db, size), cleanups));
      progress(`${name}: ${size} after ${((performance.now() - begin) / 1000).toFixed(0)} s`);
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const { measurement, send, tenants } of scenes) await measurement.repeat(send, tenants);
    }
    for (const { db } of scenes) progress(await tableSizes(db));
    const results = scenes.map(({ measurement }) => measurement.medians());
    printTable(name, sizes, results);
    return OPERATIONS.map((operation) => toRow(name, operation, sizes, results));
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  }
}

/** Starts a database and a service of one size, with some tenants logged in. */
async function openScene(fill, cleanups) {
  const database = await benchDatabase();
  cleanups.push(database.stop);
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  cleanups.push(() => db.end());
  await fill(db);
  const service = await startService(database.url, LIMITS);
  cleanups.push(service.stop);
  const tenants = await readTenants(db, ACTIVE_TENANTS);
  for (const tenant of tenants) {
    const { slug, owner: email, password } = tenant;
    tenant.token = (await logIn(service.url, { slug, email, password })).token;
  }
  const measurement = new Measurement();
  const send = httpClient(service.url, 1);
  await measurement.warmUp(send, tenants);
  return { db, send, tenants, measurement };
}

/** The size of the tables with all indexes, and the share of the updates of calls that left the indexes alone (HOT). */
async function tableSizes(db) {
  const lines = [];
  for (const table of ['calls', 'call_words', 'domain_events']) {
    const { rows: sizes } = await db.query(
      `SELECT count(*) AS rows, pg_relation_size('${table}') / count(*) AS heap, pg_indexes_size('${table}') / count(*) AS indexes
       FROM ${table}`,
    );
    const [{ rows: count, heap, indexes }] = sizes;
    lines.push(`  ${table}: ${count} rows of ${heap} bytes and ${indexes} bytes in indexes`);
  }
  const { rows: updates } = await db.query(
    `SELECT n_tup_upd AS count, n_tup_hot_upd AS hot FROM pg_stat_user_tables WHERE relname = 'calls'`,
  );
  return [...lines, `  updates of calls: ${updates[0].count}, ${updates[0].hot} of them HOT`].join('\n');
}

/** Prints the medians in ms, one column for each size. */
function printTable(name, sizes, results) {
  progress(
    ['', ...sizes]
      .map((cell, column) =>
        String(cell)
          .padStart(column && 12)
          .padEnd(12),
      )
      .join(''),
  );
  for (const operation of OPERATIONS) {
    const cells = results.map((medians) => medians[operation].toFixed(1).padStart(12));
    const grows = results.at(-1)[operation] > MAX_RATIO * results[0][operation] ? '  grows' : '';
    progress(`${operation.padEnd(12)}${cells.join('')}${grows}`);
  }
}

function toRow(name, operation, sizes, results) {
  const medians = results.map((result) => result[operation]);
  return row({
    name: `growth_${name}_${operation}`,
    value: medians.at(-1),
    unit: 'ms',
    peer: medians[0],
    target: MAX_RATIO,
    better: 'lower',
    sizes: Object.fromEntries(sizes.map((size, index) => [size, medians[index]])),
  });
}
