// npm run bench:overload: customers join at three times the rate that the service can serve, while calls are in
// progress. Prints how many joins succeed compared with the peak, and how long the requests of the calls take compared
// with a quiet service.
import pg from 'pg';
import { AgentLoad, ENDS, percentiles95 } from './support/agent-load.mjs';
import { benchDatabase } from './support/database.mjs';
import { httpClient } from './support/http-client.mjs';
import { insertLinks } from './support/links.mjs';
import { poissonLoad } from './support/poisson-load.mjs';
import { seedCalls } from './support/seed-calls.mjs';
import { logIn, startService } from './support/service.mjs';
import { insertSupervisors } from './support/supervisors.mjs';

const LINKS = 10;
const PEAK_CONNECTIONS = 20;
/** So long, with so many agents, that calls end in each way about thirty times: a percentile of fewer is their maximum. */
const SECONDS = Number(process.env.SECONDS ?? 40);
const AGENTS = 4;
const WARM_UP_SECONDS = 3;
const OVERLOAD = 3;
const MIN_GOODPUT = 0.8;
/** Longer, an agent would notice it (the limit of `npm run bench:burst`, too). */
const MAX_P95_MS = 500;
const PUBLIC_LIMITS = { PUBLIC_RATE_LIMIT: '100000000' };

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const { tenant, password } = await seedCalls(database.url, 1);
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  cleanups.push(() => db.end());
  const tokens = await insertLinks(db, tenant.id, LINKS);
  const service = await startService(database.url, PUBLIC_LIMITS);
  cleanups.push(service.stop);
  await insertSupervisors(db, tenant.id, tenant.slug, AGENTS);
  const requests = await Promise.all(
    Array.from({ length: AGENTS }, (_, n) =>
      logIn(service.url, { slug: tenant.slug, email: `supervisor${n + 1}@${tenant.slug}.example`, password }),
    ),
  );
  // Queues stay short, so that a join costs the same in each phase.
  const draining = setInterval(() => {
    db.query(`DELETE FROM calls WHERE status = 'queued' AND customer_name = 'Customer'`).catch(() => {});
  }, 200);
  cleanups.push(() => clearInterval(draining));

  const agents = new AgentLoad(service.url, requests, tokens);
  const send = httpClient(service.url, Infinity);
  let customers = 0;
  await saturate(PEAK_CONNECTIONS, WARM_UP_SECONDS);
  const quiet = await agents.durationsDuring(
    () => new Promise((resolve) => setTimeout(resolve, SECONDS * 1000)),
  );
  let peak;
  await agents.durationsDuring(async () => {
    peak = await saturate(PEAK_CONNECTIONS, SECONDS);
  });
  const rate = Math.ceil((peak[200] / SECONDS) * OVERLOAD);
  let overload;
  const busy = await agents.durationsDuring(async () => {
    overload = await poissonLoad(rate, SECONDS, join);
  });
  report({ peak, overload, rate, quiet, busy });

  /** Joins the next queue. @returns the status */
  async function join() {
    const customer = customers++;
    const body = { name: 'Customer', email: `customer${customer}@example.com` };
    return (await send('POST', `/api/v1/call/${tokens[customer % tokens.length]}/join`, { body })).status;
  }

  /** Joins as fast as the service answers. @returns how many joins got each status */
  async function saturate(connections, seconds) {
    const statuses = {};
    const end = performance.now() + seconds * 1000;
    const joining = Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        const status = await join();
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    });
    await Promise.all(joining);
    return statuses;
  }
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

function report({ peak, overload, rate, quiet, busy }) {
  const goodput = (overload[200] ?? 0) / peak[200];
  console.log(`joins, ${SECONDS} s each`);
  console.log(`  peak                        ${peak[200] / SECONDS}/s ${JSON.stringify(peak)}`);
  console.log(`  offered under overload      ${rate}/s`);
  console.log(`  successful under overload   ${overload[200] / SECONDS}/s ${JSON.stringify(overload)}`);
  console.log(`  goodput                     ${goodput.toFixed(2)} (at least ${MIN_GOODPUT})`);
  const samples = Math.min(...[quiet, busy].flatMap((phase) => ENDS.map((name) => phase[name].length)));
  console.log(`calls in progress, p95 in ms, of ${samples} calls or more for each way to end`);
  const [quietMs, busyMs] = [percentiles95(quiet), percentiles95(busy)];
  let isFast = true;
  for (const [name, value] of Object.entries(busyMs)) {
    // Joins are what the overload consists of.
    if (name === 'join') continue;
    isFast &&= value <= MAX_P95_MS;
    console.log(
      `  ${name.padEnd(12)} quiet ${quietMs[name].toFixed(1)}, overload ${value.toFixed(1)} (at most ${MAX_P95_MS})`,
    );
  }
  const isServed = Object.keys(peak).every((status) => status === '200');
  if (!isServed || !(goodput >= MIN_GOODPUT) || !isFast) process.exitCode = 1;
}
