// npm run bench:lifecycle: calls from join to rating, 16 at once, in one tenant and in sixteen. It compares the service
// with the least SQL that could do the job, and with bare Express handlers that send this SQL.
import { createRequire } from 'node:module';
import pg from 'pg';
import { benchDatabase } from './support/database.mjs';
import { httpClient } from './support/http-client.mjs';
import { lifecycle } from './support/lifecycle-sql.mjs';
import { insertLinks } from './support/links.mjs';
import { freePort, startProcess } from './support/processes.mjs';
import { median, progress, report, row } from './support/report.mjs';
import { createTenant, PASSWORD } from './support/seed-calls.mjs';
import { logIn, startService } from './support/service.mjs';

const require = createRequire(import.meta.url);
const { sessionSettings } = require('../dist/src/platform/database/connections/session-settings.js');

const WORKERS = 16;
const TENANTS = 16;
const ROUNDS = 3;
const SECONDS = 3;
/**
 * Until the connections of the service have their plans, since PostgreSQL makes five for each statement before it keeps one, and
 * V8 has compiled what is used again and again: of the service that is much more code, and most of the rise of its rate is over then.
 */
const WARM_UP_SECONDS = { sql: 4, express: 4, service: 16 };
const LIMITS = { PUBLIC_RATE_LIMIT: '100000000', AUTH_RATE_LIMIT: '1000', AUTH_ADDRESS_RATE_LIMIT: '1000' };

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  cleanups.push(() => db.end());
  const companies = [];
  for (let n = 0; n < TENANTS; n++) {
    const { tenant, user } = await createTenant(db, `company-${n}`);
    const [link] = await insertLinks(db, tenant.id, 1);
    companies.push({ slug: tenant.slug, link, user_id: user.id });
  }
  const service = await startService(database.url, LIMITS);
  cleanups.push(service.stop);
  for (const company of companies) {
    const user = { slug: company.slug, email: `owner@${company.slug}.example`, password: PASSWORD };
    company.token = (await logIn(service.url, user)).token;
  }
  // The statements of SQL alone have one good plan each. PostgreSQL would plan them again and again, since they are large.
  const options = `${sessionSettings(database.url, database.role).options} -c plan_cache_mode=force_generic_plan`;
  const barePort = await freePort();
  const bareEnv = { DATABASE_URL: database.url, PORT: String(barePort), BENCH_ROLE_OPTIONS: options };
  const ready = `http://127.0.0.1:${barePort}/ready`;
  cleanups.push(await startProcess('bench/support/bare-lifecycle.mjs', bareEnv, ready));
  const settings = { connectionString: database.url, options, max: WORKERS, pipeline: true };
  const pool = new pg.Pool(settings);
  cleanups.push(() => pool.end());

  const sides = {
    sql: sqlCall(pool),
    express: expressCall(httpClient(`http://127.0.0.1:${barePort}`, WORKERS)),
    service: serviceCall(httpClient(service.url, WORKERS)),
  };
  for (const [side, run] of Object.entries(sides)) await measure(run, companies, WARM_UP_SECONDS[side]);
  const rows = [];
  for (const { name, some, target } of [
    { name: 'lifecycle', some: companies.slice(0, 1), target: 0.25 },
    { name: 'lifecycle_tenants', some: companies, target: 0.2 },
  ]) {
    progress(`${name}: ${ROUNDS} rounds`);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const rates = {};
      for (const [side, run] of Object.entries(sides)) rates[side] = await measure(run, some, SECONDS);
      rounds.push(rates);
    }
    rows.push(rowOf(name, rounds, target));
  }
  report(rows);
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

function sqlCall(pool) {
  return async ({ link, user_id }) => {
    const call = await lifecycle.join(pool, link);
    for (const step of ['assign', 'start', 'complete', 'rate']) await lifecycle[step](pool, call, user_id);
  };
}

function expressCall(request) {
  return async ({ link, user_id }) => {
    const { data: call } = await ok(request('POST', '/join', { body: { token: link } }));
    for (const step of ['assign', 'start', 'complete', 'rate']) {
      await ok(request('POST', `/${step}`, { body: { ...call, user_id } }));
    }
  };
}

function serviceCall(request) {
  return async ({ link, token }) => {
    const { data } = await ok(request('POST', `/api/v1/call/${link}/join`, { body: { name: 'Customer' } }));
    for (const step of ['assign', 'start', 'complete']) {
      await ok(request('POST', `/api/v1/calls/${data.call_id}/${step}`, { token, body: {} }));
    }
    const rating = { token: data.websocket_token, body: { rating: 5 } };
    await ok(request('POST', `/api/v1/call/evaluate/${data.call_id}`, rating));
  };
}

async function ok(sent) {
  const { status, body } = await sent;
  if (status !== 200 && status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** @returns complete calls per second of WORKERS at once, which are distributed over the companies */
async function measure(run, companies, seconds) {
  const begin = performance.now();
  const end = begin + seconds * 1000;
  let calls = 0;
  const workers = Array.from({ length: WORKERS }, async (_, n) => {
    while (performance.now() < end) {
      await run(companies[n % companies.length]);
      calls++;
    }
  });
  await Promise.all(workers);
  return (calls * 1000) / (performance.now() - begin);
}

/** Medians of the calls per second, and of the ratios of each round. */
function rowOf(name, rounds, target) {
  const of = (value) => median(rounds.map(value));
  const express = of((rates) => rates.express);
  return {
    ...row({
      name,
      value: of(({ service }) => service),
      unit: 'calls/s',
      peer: of(({ sql }) => sql),
      target,
    }),
    ratio: of(({ service, sql }) => service / sql),
    express,
    checks: [
      {
        label: 'ratio to bare Express',
        value: of(({ service, express: bare }) => service / bare),
        target: 0.3,
      },
    ],
  };
}
