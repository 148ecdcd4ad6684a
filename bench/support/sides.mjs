// Requests a report in two ways: from the service over HTTP, and as a plain aggregate with the service's role.
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { median } from './report.mjs';

const require = createRequire(import.meta.url);
const { scopeStatement } = require('../../dist/src/platform/database/scope.js');
const { sessionSettings } = require('../../dist/src/platform/database/connections/session-settings.js');

/** Connects with the service's session settings, so that row-level security costs the same in both ways. */
export async function connectAsService(database) {
  const { url, options } = sessionSettings(database.url, database.role);
  const client = new pg.Client({ connectionString: url, options });
  await client.connect();
  return client;
}

/** The statement with which a peer applies the settings of a statement of the service. */
export const settingsText = (settings) =>
  `SELECT ${Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', ')}`;

/** @returns the rows of the statement, and its duration in ms without the transaction around it */
export async function runInScope(client, tenantId, statement) {
  await client.query('BEGIN READ ONLY');
  try {
    await client.query(scopeStatement({ tenantId }));
    return await timed(() => client.query(statement));
  } finally {
    await client.query('COMMIT');
  }
}

/**
 * Explains a statement as the service's role sees it.
 * @param run runs a statement in the scope
 * @returns the lines of its plan
 * @throws Error if the plan reads a whole table, or uses no index
 */
export async function explain(run, { text, values }) {
  const { result } = await run({ text: `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${text}`, values });
  const lines = result.rows.map((row) => row['QUERY PLAN']);
  if (lines.some((line) => line.includes('Seq Scan')) || !lines.some((line) => line.includes('Index'))) {
    throw new Error(`The statement does not use its index:\n${lines.join('\n')}`);
  }
  return lines;
}

export async function timed(work) {
  const start = performance.now();
  const result = await work();
  return { result, ms: performance.now() - start };
}

export const requestReport = (request, { path }) => timed(() => request('GET', `/api/v1/analytics/${path}`));

/** Checks that both give the same result; otherwise the figures would not be comparable. */
export function ensureSameData({ path, toResponseRow }, body, rows) {
  const bodyRows = [body.data].flat();
  const isInBody = (expected) =>
    bodyRows.some((data) =>
      Object.entries(expected).every(([name, value]) => isDeepStrictEqual(data[name], value)),
    );
  // In the form of the HTTP response.
  const expected = rows.map((row) => JSON.parse(JSON.stringify(toResponseRow(row))));
  const missing = expected.find((row) => !isInBody(row));
  if (rows.length === 0 || missing) throw new Error(`${path} does not say ${JSON.stringify(missing)}`);
}

/**
 * Alternates between the sides, so that other load on the machine affects all of them equally.
 * @param sides by name, how often a round runs it and the function to run
 * @returns the median duration of each, in ms
 */
export async function alternate(rounds, sides) {
  const durations = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, [times, run]] of Object.entries(sides)) {
      for (let time = 0; time < times; time++) durations[name].push((await run()).ms);
    }
  }
  return Object.fromEntries(Object.entries(durations).map(([name, values]) => [name, median(values)]));
}
