// A report from two sides: the service over HTTP, and its plain aggregate as a statement of the service's role.
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';

const require = createRequire(import.meta.url);
const { scopeStatement } = require('../../dist/src/platform/database/scope.js');
const { sessionSettings } = require('../../dist/src/platform/database/session-settings.js');

/** A session as the service's, so that row-level security costs both sides the same. */
export async function connectAsService(database) {
  const { url, options } = sessionSettings(database.url, database.role);
  const client = new pg.Client({ connectionString: url, options });
  await client.connect();
  return client;
}

/** @returns what the statement gave, and its milliseconds without those of the transaction around it */
export async function runInScope(client, tenantId, statement) {
  await client.query('BEGIN READ ONLY');
  try {
    await client.query(scopeStatement({ tenantId }));
    return await timed(() => client.query(statement));
  } finally {
    await client.query('COMMIT');
  }
}

export async function timed(work) {
  const begun = performance.now();
  const result = await work();
  return { result, ms: performance.now() - begun };
}

export const askFor = (ask, { path }) => timed(() => ask('GET', `/api/v1/analytics/${path}`));

/** Both sides have to say the same, or the figures compare nothing. */
export function ensureSameAnswer({ path, answer }, body, rows) {
  const answered = [body.data].flat();
  const isAnswered = (expected) =>
    answered.some((data) =>
      Object.entries(expected).every(([name, value]) => isDeepStrictEqual(data[name], value)),
    );
  // As it goes over the wire.
  const expected = rows.map((row) => JSON.parse(JSON.stringify(answer(row))));
  const missing = expected.find((one) => !isAnswered(one));
  if (rows.length === 0 || missing) throw new Error(`${path} does not say ${JSON.stringify(missing)}`);
}

/**
 * Sides take turns, so that a noisy moment of the machine hits all of them alike.
 * @param sides by name, how often a round runs it and what runs it
 * @returns the median of each, in milliseconds
 */
export async function alternate(rounds, sides) {
  const taken = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, [times, run]] of Object.entries(sides)) {
      for (let time = 0; time < times; time++) taken[name].push((await run()).ms);
    }
  }
  return Object.fromEntries(Object.entries(taken).map(([name, values]) => [name, median(values)]));
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}
