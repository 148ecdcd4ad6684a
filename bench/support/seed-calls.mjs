// A tenant with many calls, and a smaller second tenant whose rows the scope must exclude.
import { createRequire } from 'node:module';
import pg from 'pg';
import { withoutIndexes } from './without-indexes.mjs';

const require = createRequire(import.meta.url);
const { PasswordHasher } = require('../../dist/src/identity/users/password-hasher.js');

export const PASSWORD = 'a passphrase for the benchmark';

/** @param isBare the triggers of calls do nothing: there are no words to search, for example */
export async function seedCalls(url, count, { isBare = false } = {}) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const seed = async () => {
    const tenant = await seedTenant(client, 'bench', count, isBare);
    await seedTenant(client, 'neighbour', Math.ceil(count / 10), isBare);
    return tenant;
  };
  // The triggers need the indexes.
  const tenant = await (isBare ? withoutIndexes(client, ['calls'], seed) : seed());
  await client.query('VACUUM ANALYZE');
  await client.end();
  return { tenant, email: 'owner@bench.example', password: PASSWORD };
}

/** Creates a tenant of the largest plan with its owner, owner@<slug>.example. */
export async function createTenant(client, slug) {
  const tenant = await queryOne(
    client,
    `INSERT INTO tenants (name, slug) VALUES ($1, $1) RETURNING id, slug`,
    [slug],
  );
  await client.query(
    `INSERT INTO subscriptions (tenant_id, plan, status) VALUES ($1, 'enterprise', 'active')`,
    [tenant.id],
  );
  const user = await queryOne(
    client,
    `INSERT INTO users (tenant_id, name, email, role, password_hash) VALUES ($1, 'Owner', $2, 'owner', $3) RETURNING id`,
    [tenant.id, `owner@${slug}.example`, await new PasswordHasher().hash(PASSWORD)],
  );
  return { tenant, user };
}

async function seedTenant(client, slug, count, isBare) {
  const { tenant, user } = await createTenant(client, slug);
  const department = await queryOne(
    client,
    `INSERT INTO departments (tenant_id, name, identifier) VALUES ($1, 'Support', 'support') RETURNING id`,
    [tenant.id],
  );
  if (isBare) await client.query('SET session_replication_role = replica');
  await client.query(
    `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, customer_email, user_id,
       user_name, estimated_wait_time, wait_time, duration, rating, end_reason, inserted_at, started_at, completed_at,
       ended_at, updated_at)
     SELECT $1, status, $2, 'Support', 'Customer ' || n, 'customer' || n || '@example.com', $3, 'Owner', 60, 30, 120,
       CASE WHEN status = 'completed' THEN 1 + n % 5 END, 'normal', at, at, at, at, at
     FROM (
       SELECT n, (ARRAY['completed', 'completed', 'completed', 'missed', 'cancelled', 'abandoned'])[1 + n % 6] AS status,
         now() - make_interval(secs => n * 60) AS at
       FROM generate_series(1, $4::int) AS n
     ) past`,
    [tenant.id, department.id, user.id, count],
  );
  await client.query('RESET session_replication_role');
  return tenant;
}

async function queryOne(client, text, values) {
  return (await client.query(text, values)).rows[0];
}
