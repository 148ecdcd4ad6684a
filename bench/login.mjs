// npm run bench:login: logins of sixteen users, all at once and one after another. It compares them with argon2 alone,
// which verifies the same passwords in this process, with a thread pool of the same size; and, for sixteen, also with
// argon2 that verifies at most as many at a time as there are processors, plus one, as the service does. Each user has a connection of a
// cheap client: argon2 alone has none.
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { verify } from '@node-rs/argon2';
import pg from 'pg';
import { benchDatabase } from './support/database.mjs';
import { rawClient } from './support/raw-client.mjs';
import { median, report, row } from './support/report.mjs';
import { createTenant, PASSWORD } from './support/seed-calls.mjs';
import { startService } from './support/service.mjs';

const require = createRequire(import.meta.url);
const { PasswordHasher } = require('../dist/src/identity/users/password-hasher.js');
const { TaskQueue } = require('../dist/src/platform/rate-limit/task-queue.js');

const USERS = 16;
const ROUNDS = 4;
const SECONDS = 1.5;
const LIMITS = { AUTH_RATE_LIMIT: '100000000', AUTH_ADDRESS_RATE_LIMIT: '100000000' };

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const { slug, emails } = await seedUsers();
  const service = await startService(database.url, LIMITS);
  cleanups.push(service.stop);
  const clients = await Promise.all(Array.from({ length: USERS }, () => rawClient(service.url)));
  cleanups.push(() => clients.forEach((client) => client.close()));
  const hash = await new PasswordHasher().hash(PASSWORD);
  const processors = new TaskQueue(availableParallelism() + 1);
  const sides = {
    service: (worker) => logIn(clients[worker], { tenant: slug, email: emails[worker], password: PASSWORD }),
    argon2: () => verify(hash, PASSWORD),
  };
  const limited = () => processors.run(sides.argon2);
  report([
    rowOf('login', await measure({ ...sides, limited }, USERS), 0.7),
    rowOf('login_alone', await measure(sides, 1), 0.7),
  ]);
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

/** Creates a tenant with users who have the same password. */
async function seedUsers() {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { tenant, user } = await createTenant(client, 'bench');
  const { rows } = await client.query(
    `INSERT INTO users (tenant_id, name, email, role, password_hash)
     SELECT tenant_id, 'Agent ' || n, 'agent' || n || '@bench.example', 'attendant', password_hash
     FROM users, generate_series(1, $2::int) n WHERE id = $1 RETURNING email`,
    [user.id, USERS],
  );
  await client.end();
  return { slug: tenant.slug, emails: rows.map(({ email }) => email) };
}

async function logIn(client, body) {
  const { status } = await client.post('/api/auth/login', body);
  if (status !== 200) throw new Error(`A login was answered with ${status}`);
}

/** Alternates between the sides. The first round only warms up. @returns the median rate of each per second */
async function measure(sides, workers) {
  const rates = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, run] of Object.entries(sides)) {
      const rate = await rateOf(run, workers);
      if (round > 0) rates[name].push(rate);
    }
  }
  return Object.fromEntries(Object.entries(rates).map(([name, values]) => [name, median(values)]));
}

/** @returns how often per second the workers run it, each one time after another */
async function rateOf(run, workers) {
  const begin = performance.now();
  const end = begin + SECONDS * 1000;
  let count = 0;
  const running = Array.from({ length: workers }, async (_, worker) => {
    while (performance.now() < end) {
      await run(worker);
      count++;
    }
  });
  await Promise.all(running);
  return (count * 1000) / (performance.now() - begin);
}

function rowOf(name, { service, argon2, limited }, target) {
  return row({ name, value: service, unit: 'logins/s', peer: argon2, target, argon2_limited: limited });
}
