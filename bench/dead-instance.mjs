// npm run bench:dead-instance: an instance with 5,000 connections is killed, and another one removes them. Agents complete
// some of its calls meanwhile. Prints how long the removal takes, and the completions compared with a quiet service.
import pg from 'pg';
import { benchDatabase } from './support/database.mjs';
import { seedCalls } from './support/seed-calls.mjs';
import { logIn, startService } from './support/service.mjs';

const CONNECTIONS = 5000;
const QUIET_CALLS = 300;
const MAX_RATIO = 3;
const MAX_REMOVAL_SECONDS = 15;

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const { tenant, email, password } = await seedCalls(database.url, 1);
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  cleanups.push(() => db.end());
  const service = await startService(database.url);
  cleanups.push(service.stop);
  const request = await logIn(service.url, { slug: tenant.slug, email, password });
  const complete = (id) => request('POST', `/api/v1/calls/${id}/complete`);

  const quiet = [];
  for (const id of await insertCalls(QUIET_CALLS)) quiet.push(await duration(() => complete(id)));
  const calls = await insertCalls(CONNECTIONS);
  const instance = await killInstance(calls);
  const begin = performance.now();
  const busy = [];
  // From the other end of the order in which the calls are handled.
  for (const id of calls.toSorted((one, other) => other.localeCompare(one))) {
    busy.push(await duration(() => complete(id)));
    if (await isRemoved(instance)) break;
  }
  report(quiet, busy, performance.now() - begin);

  /** Active calls of the owner, in which the customer is connected. @returns their ids */
  async function insertCalls(count) {
    const { rows } = await db.query(
      `INSERT INTO calls (tenant_id, status, department_name, customer_name, user_id, user_name, estimated_wait_time,
         wait_time, customer_connected_at, inserted_at, started_at, updated_at)
       SELECT $1, 'active', 'Support', 'Customer ' || n, u.id, u.name, 0, 0, now(), now(), now(), now()
       FROM generate_series(1, $2::int) AS n, users u WHERE u.tenant_id = $1 RETURNING id`,
      [tenant.id, count],
    );
    return rows.map(({ id }) => id);
  }

  /** Inserts an instance that is connected to the customers and has stopped. @returns its id */
  async function killInstance(ids) {
    const { rows } = await db.query(
      `WITH instance AS (
         INSERT INTO instances (id, heartbeat_at) VALUES (gen_random_uuid(), now() - interval '1 minute') RETURNING id)
       INSERT INTO connections (tenant_id, instance_id, socket_id, call_id)
       SELECT $1, instance.id, gen_random_uuid()::text, call_id FROM instance, unnest($2::uuid[]) AS call_id
       RETURNING instance_id`,
      [tenant.id, ids],
    );
    return rows[0].instance_id;
  }

  async function isRemoved(id) {
    return (await db.query('SELECT FROM instances WHERE id = $1', [id])).rows.length === 0;
  }
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

async function duration(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function percentile95(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)];
}

function report(quiet, busy, elapsed) {
  const [quietP95, busyP95] = [percentile95(quiet), percentile95(busy)];
  console.log(
    `removal of an instance with ${CONNECTIONS} connections: ${(elapsed / 1000).toFixed(1)} s (below ${MAX_REMOVAL_SECONDS})`,
  );
  console.log('completing a call');
  console.log(`  quiet, p95                  ${quietP95.toFixed(1)} ms`);
  console.log(`  during the removal, p95     ${busyP95.toFixed(1)} ms of ${busy.length} calls`);
  console.log(`  longest                     ${Math.max(...busy).toFixed(1)} ms`);
  console.log(`  ratio                       ${(busyP95 / quietP95).toFixed(1)} (below ${MAX_RATIO})`);
  if (busyP95 / quietP95 >= MAX_RATIO || elapsed >= MAX_REMOVAL_SECONDS * 1000) process.exitCode = 1;
}
