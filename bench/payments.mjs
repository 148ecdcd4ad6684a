// npm run bench:payments: delivers payment notifications as a gateway does, ten at a time. It compares the service with
// the bare INSERT of the same rows, and checks how long 95 of 100 deliveries take.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import pg from 'pg';
import { benchDatabase } from './support/database.mjs';
import { seedCalls } from './support/seed-calls.mjs';
import { startService } from './support/service.mjs';

const require = createRequire(import.meta.url);
const { sessionSettings } = require('../dist/src/platform/database/connections/session-settings.js');

const TOKEN = 'a token for the benchmark of payments';
const CONNECTIONS = 10;
const DELIVERIES = 1000;
const ROUNDS = 5;
/** A gateway waits 10 s for a response, and pauses its queue after failures. */
const MAX_P95_MS = 250;
const SUCCESS_BODY = '{"data":{"received":true}}';

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const { tenant } = await seedCalls(database.url, 1);
  const service = await startService(database.url, { ASAAS_WEBHOOK_TOKEN: TOKEN });
  cleanups.push(service.stop);
  const { url, options } = sessionSettings(database.url, database.role);
  const pool = new pg.Pool({ connectionString: url, options, max: CONNECTIONS });
  cleanups.push(() => pool.end());
  const sides = { bare: () => insert(pool, tenant.id), service: () => deliver(service.url, tenant.id) };
  for (const side of Object.values(sides)) await measure(side, DELIVERIES / 10);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      bare: await measure(sides.bare, DELIVERIES),
      service: await measure(sides.service, DELIVERIES),
    });
  }
  report(rounds);
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

/** A notification with new ids. Its event changes no subscription after the first one. */
const notification = (tenantId) => ({
  id: `evt_${randomUUID()}`,
  event: 'PAYMENT_CONFIRMED',
  dateCreated: '2026-06-12 16:45:03',
  payment: { id: `pay_${randomUUID()}`, externalReference: tenantId, value: 99, status: 'CONFIRMED' },
});

async function deliver(url, tenantId) {
  const response = await fetch(`${url}/api/webhooks/asaas`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'asaas-access-token': TOKEN },
    body: JSON.stringify(notification(tenantId)),
  });
  const body = await response.text();
  if (response.status !== 200 || body !== SUCCESS_BODY) throw new Error(`${response.status} ${body}`);
}

async function insert(pool, tenantId) {
  const payload = notification(tenantId);
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT set_config('app.system', 'on', true)`);
    await client.query({
      name: 'insert',
      text: `INSERT INTO gateway_events
               (gateway, event_id, tenant_id, event, kind, payment_id, payload, occurred_at, received_at)
             VALUES ('bare', $1, $2, $3, 'paid', $4, $5, now(), now())`,
      values: [payload.id, tenantId, payload.event, payload.payment.id, JSON.stringify(payload)],
    });
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

/** Calls `send` this many times, ten at a time. @returns calls per second and the 95th percentile in milliseconds */
async function measure(send, count) {
  const times = [];
  let left = count;
  const start = performance.now();
  const sender = async () => {
    while (left-- > 0) {
      const began = performance.now();
      await send();
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sender));
  const seconds = (performance.now() - start) / 1000;
  times.sort((one, next) => one - next);
  return { rate: count / seconds, p95: times[Math.floor(count * 0.95)] };
}

function report(rounds) {
  const median = (pick) =>
    rounds.map(pick).toSorted((one, next) => one - next)[Math.floor(rounds.length / 2)];
  const p95 = median(({ service }) => service.p95);
  console.log(`service, deliveries/s          ${median(({ service }) => service.rate).toFixed(0)}`);
  console.log(`bare INSERT, rows/s            ${median(({ bare }) => bare.rate).toFixed(0)}`);
  console.log(
    `service / bare                 ${median(({ service, bare }) => service.rate / bare.rate).toFixed(2)}`,
  );
  console.log(`95 of 100 within, ms           ${p95.toFixed(1)} (limit ${MAX_P95_MS})`);
  console.log(`bare, 95 of 100 within, ms     ${median(({ bare }) => bare.p95).toFixed(1)}`);
  if (p95 > MAX_P95_MS) process.exitCode = 1;
}
