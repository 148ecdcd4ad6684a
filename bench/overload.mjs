// npm run bench:overload: customers join at three times the rate that the service can serve, while calls are in
// progress. Prints how many joins succeed compared with the peak, and how long the requests of the calls take compared
// with a quiet service.
import autocannon from 'autocannon';
import pg from 'pg';
import { AgentLoad } from './support/agent-load.mjs';
import { benchDatabase } from './support/database.mjs';
import { insertLinks } from './support/links.mjs';
import { seedCalls } from './support/seed-calls.mjs';
import { logIn, startService } from './support/service.mjs';

const LINKS = 10;
const PEAK_CONNECTIONS = 20;
const SECONDS = Number(process.env.SECONDS ?? 10);
const OVERLOAD = 3;
const MIN_GOODPUT = 0.8;
const MAX_P95_RATIO = 3;
const PUBLIC_LIMITS = { PUBLIC_RATE_LIMIT: '100000000' };
/** autocannon replaces [<id>], so that each join is that of another customer. */
const BODY = JSON.stringify({ name: 'Customer', email: 'customer[<id>]@example.com' });

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const { tenant, email, password } = await seedCalls(database.url, 1);
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  cleanups.push(() => db.end());
  const tokens = await insertLinks(db, tenant.id, LINKS);
  const service = await startService(database.url, PUBLIC_LIMITS);
  cleanups.push(service.stop);
  const request = await logIn(service.url, { slug: tenant.slug, email, password });
  // Queues stay short, so that a join costs the same in each phase.
  const draining = setInterval(() => {
    db.query(`DELETE FROM calls WHERE status = 'queued' AND customer_name = 'Customer'`).catch(() => {});
  }, 200);
  cleanups.push(() => clearInterval(draining));

  const agents = new AgentLoad(service.url, request, tokens);
  await join({ connections: PEAK_CONNECTIONS, duration: 3 });
  const quiet = await agents.p95During(() => new Promise((resolve) => setTimeout(resolve, SECONDS * 1000)));
  let peak;
  await agents.p95During(async () => {
    peak = await join({ connections: PEAK_CONNECTIONS, duration: SECONDS });
  });
  const rate = Math.ceil(peak.goodput * OVERLOAD);
  let overload;
  const busy = await agents.p95During(async () => {
    // Public requests wait up to a second for a connection, so this many can be open at once.
    overload = await join({ connections: Math.ceil(rate * 1.5), duration: SECONDS, overallRate: rate });
  });
  report({ peak, overload, rate, quiet, busy });

  /** @returns successful joins and refused ones, per second */
  async function join(options) {
    const requests = tokens.map((token) => ({ path: `/api/v1/call/${token}/join` }));
    const headers = { 'content-type': 'application/json' };
    const result = await autocannon({
      ...options,
      url: service.url,
      method: 'POST',
      headers,
      body: BODY,
      idReplacement: true,
      requests,
    });
    const { '2xx': succeeded, duration, statusCodeStats } = result;
    return { goodput: succeeded / duration, statuses: statusCodeStats, errors: result.errors };
  }
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

function report({ peak, overload, rate, quiet, busy }) {
  const goodput = overload.goodput / peak.goodput;
  console.log(`joins, ${SECONDS} s each`);
  console.log(`  peak                        ${peak.goodput.toFixed(0)}/s ${JSON.stringify(peak.statuses)}`);
  console.log(`  offered under overload      ${rate}/s`);
  console.log(
    `  successful under overload   ${overload.goodput.toFixed(0)}/s ${JSON.stringify(overload.statuses)}`,
  );
  console.log(`  goodput                     ${goodput.toFixed(2)} (at least ${MIN_GOODPUT})`);
  console.log('calls in progress, p95 in ms');
  let isFast = true;
  for (const [name, value] of Object.entries(busy)) {
    const ratio = value / quiet[name];
    isFast &&= ratio < MAX_P95_RATIO;
    console.log(
      `  ${name.padEnd(12)} quiet ${quiet[name].toFixed(1)}, overload ${value.toFixed(1)}: ratio ${ratio.toFixed(1)} (below ${MAX_P95_RATIO})`,
    );
  }
  if (goodput < MIN_GOODPUT || !isFast) process.exitCode = 1;
}
