// node bench/routing-sql.mjs [--explain]: finds calls for agents and offers them, by SQL alone, with lines of 1,000, 10,000
// and 100,000 calls. It shows whether the cost of an offer depends on the length of the line.
import { createRequire } from 'node:module';
import pg from 'pg';
import { benchDatabase } from './support/database.mjs';
import { median, progress } from './support/report.mjs';
import { claim, explain, find, growLines, insertAgents, statements } from './support/routing-sql.mjs';
import { createTenant } from './support/seed-calls.mjs';

const require = createRequire(import.meta.url);
const { sessionSettings } = require('../dist/src/platform/database/connections/session-settings.js');
const { PreparingClient } = require('../dist/src/platform/database/connections/preparing-client.js');

const LENGTHS = [1000, 10_000, 100_000];
const OFFERS = 300;
const WARM_UPS = 50;

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  cleanups.push(() => db.end());
  const { tenant } = await createTenant(db, 'bench');
  const agents = await insertAgents(db, tenant.id);
  const pool = new pg.Pool({
    connectionString: database.url,
    max: 1,
    options: sessionSettings(database.url, database.role).options,
    pipeline: true,
    Client: PreparingClient,
  });
  cleanups.push(() => pool.end());
  const client = await pool.connect();
  for (const length of LENGTHS) {
    await growLines(db, tenant.id, length);
    await measure(client, tenant.id, agents, WARM_UPS);
    const { finds, claims, results } = await measure(client, tenant.id, agents, OFFERS);
    progress(
      `${length} waiting: find ${summary(finds)}, claim ${summary(claims)} (${JSON.stringify(results)})`,
    );
    if (process.argv.includes('--explain')) await printPlans(client, tenant.id, agents[17]);
    await db.query('DELETE FROM offers');
    await db.query(`UPDATE presences SET state = 'available' WHERE state = 'offered'`);
  }
  client.release();
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

/** Offers a call to `count` agents, one after another. @returns the times in ms */
async function measure(client, tenantId, agents, count) {
  const finds = [];
  const claims = [];
  const results = {};
  for (let n = 0; n < count; n++) {
    const agent = agents[(n * 37) % agents.length];
    const begin = performance.now();
    const found = await find(client, tenantId, agent);
    finds.push(performance.now() - begin);
    if (!found) continue;
    const start = performance.now();
    const result = await claim(client, tenantId, found);
    claims.push(performance.now() - start);
    results[result] = (results[result] ?? 0) + 1;
  }
  return { finds, claims, results };
}

function summary(times) {
  const sorted = times.toSorted((one, other) => one - other);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? NaN;
  return `${median(times).toFixed(2)} ms (p99 ${p99.toFixed(2)})`;
}

async function printPlans(client, tenantId, agent) {
  const found = await find(client, tenantId, agent);
  const at = new Date();
  const plans = { find: statements.find(tenantId, agent) };
  if (found) {
    plans.lockCall = statements.lockCall(tenantId, found, at);
    plans.lockAgent = statements.lockAgent(tenantId, found, at);
    plans.candidates = statements.candidates(tenantId, found, at);
  }
  for (const [name, statement] of Object.entries(plans)) {
    progress(`${name}:`);
    for (const line of await explain(client, tenantId, statement)) progress(`  ${line}`);
  }
}
