// npm run bench:abuse: a malicious customer and a malicious supervisor of one tenant do everything at once that was ever
// seen to slow the service down, while supervisors of another tenant handle calls. Prints how long the other tenant's
// requests take compared with a quiet service, and with a quiet service on processors that low-priority processes keep
// busy, as the attackers do besides their attack.
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import pg from 'pg';
import { AgentLoad, percentile95, timed } from './support/agent-load.mjs';
import { benchDatabase } from './support/database.mjs';
import { insertLinks } from './support/links.mjs';
import { forkInOwnSession } from './support/low-priority.mjs';
import { seedCalls } from './support/seed-calls.mjs';
import { logIn, startService } from './support/service.mjs';

const CALLS = 200_000;
const SECONDS = 30;
const WARM_UP_SECONDS = 5;
/** Until the service has a connection to the database for everything, and the attackers have used up what they may at once. */
const ATTACK_WARM_UP_SECONDS = 15;
const MAX_RATIO = 3;
/** So many that each kind of request occurs about a hundred times in a phase: percentiles of fewer say little. */
const AGENTS = 4;
/** The limits of production: clients behind a proxy have addresses, and nobody is exempt. */
const LIMITS = { TRUST_PROXY: 'loopback', API_RATE_LIMIT: '3000', QUEUE_MAX_PER_ADDRESS: '10' };
/** Each customer of the other tenant has an address of its own. */
let customers = 0;
let refusals = 0;
const nextCustomer = () => {
  const number = customers++;
  return { 'x-forwarded-for': `203.0.${Math.floor(number / 250) % 250}.${1 + (number % 250)}` };
};

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const { password } = await seedCalls(database.url, CALLS);
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  cleanups.push(() => db.end());
  const tenants = new Map(
    (await db.query('SELECT slug, id FROM tenants')).rows.map(({ slug, id }) => [slug, id]),
  );
  const victimLinks = await insertLinks(db, tenants.get('neighbour'), 1);
  const [linkToken] = await insertLinks(db, tenants.get('bench'), 1);
  await insertSupervisors('bench', 1);
  await insertSupervisors('neighbour', AGENTS);
  const service = await startService(database.url, LIMITS);
  cleanups.push(service.stop);
  const logInAs = (slug, user, address) =>
    logIn(service.url, { slug, email: `${user}@${slug}.example`, password }, { 'x-forwarded-for': address });
  const victim = untilServed(await logInAs('neighbour', 'owner', '203.0.113.1'));
  const supervisors = await Promise.all(
    Array.from({ length: AGENTS }, (_, n) => logInAs('neighbour', `supervisor${n + 1}`, `203.0.113.${n + 2}`)),
  );
  const attacker = await logInAs('bench', 'supervisor1', '198.51.100.2');

  const agents = new AgentLoad(service.url, supervisors.map(untilServed), victimLinks, nextCustomer);
  await measure(WARM_UP_SECONDS);
  const quiet = await measure(SECONDS);
  const busyProcessors = await withSpinning(() => measure(SECONDS));
  const attack = await startAttack();
  await measure(ATTACK_WARM_UP_SECONDS);
  refusals = 0;
  const attacked = await measure(SECONDS);
  attack.send('counts');
  const [counts] = await once(attack, 'message');
  report({ quiet, busyProcessors, attacked }, counts);

  /** Inserts supervisor1@<slug>.example and so on, with the password of the tenant's owner. */
  function insertSupervisors(slug, count) {
    return db.query(
      `INSERT INTO users (tenant_id, name, email, role, password_hash)
       SELECT tenant_id, 'Supervisor ' || n, 'supervisor' || n || '@' || $2 || '.example', 'supervisor', password_hash
       FROM users, generate_series(1, $3::int) n WHERE tenant_id = $1 AND role = 'owner'`,
      [tenants.get(slug), slug, count],
    );
  }

  /** @returns the 95th percentile of each kind of the victim's requests, and of the delay of the event loop, in ms */
  async function measure(seconds) {
    const lists = [];
    await eventLoopDelay(service.url);
    const figures = await agents.p95During(async () => {
      for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
        await timed(lists, () => victim('GET', '/api/v1/calls?status=completed'));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
    return {
      latencies: { ...figures, list: percentile95(lists) },
      eventLoopMs: await eventLoopDelay(service.url),
    };
  }

  async function startAttack() {
    const entry = await fetch(`${service.url}/api/v1/call/${linkToken}/join`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...nextCustomer() },
      body: JSON.stringify({ name: 'Malicious' }),
    });
    const { call_id: callId, websocket_token: websocketToken } = (await entry.json()).data;
    const target = { url: service.url, linkToken, callId, websocketToken, accessToken: attacker.token };
    const child = forkInOwnSession('attack.mjs', JSON.stringify(target));
    cleanups.push(child.stop);
    await child.isReady;
    return child;
  }
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

/** @returns the 99th percentile of the delay of the service's event loop since the last call, in ms */
async function eventLoopDelay(url) {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(metrics)?.[1];
  if (seconds === undefined) throw new Error('/metrics has no nodejs_eventloop_lag_p99_seconds');
  return Number(seconds) * 1000;
}

/** Runs `work` while low-priority processes use all processors. */
async function withSpinning(work) {
  const children = Array.from({ length: availableParallelism() }, () => forkInOwnSession('spin.mjs'));
  try {
    await Promise.all(children.map((child) => child.isReady));
    return await work();
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}

/** Repeats a request that the service refuses because it is busy; the time of all attempts counts. */
function untilServed(request) {
  const { token, clientHeaders } = request;
  const repeated = async (method, path) => {
    for (;;) {
      try {
        return await request(method, path);
      } catch (error) {
        if (error.status !== 503) throw error;
        refusals++;
      }
    }
  };
  return Object.assign(repeated, { token, clientHeaders });
}

function report({ quiet, busyProcessors, attacked }, counts) {
  console.log('answers to the attack');
  for (const [name, count] of sorted(counts)) console.log(`  ${name.padEnd(40)} ${count}`);
  console.log(`requests of another tenant: ${refusals} refused during the attack; p95 in ms`);
  for (const [name, value] of Object.entries(attacked.latencies)) {
    const ratio = value / quiet.latencies[name];
    if (!(ratio < MAX_RATIO)) process.exitCode = 1;
    console.log(
      `  ${name.padEnd(12)} quiet ${format(quiet.latencies[name])}, processors busy ` +
        `${format(busyProcessors.latencies[name])}, attacked ${format(value)}: ratio ${ratio.toFixed(1)} (below ${MAX_RATIO})`,
    );
  }
  console.log(
    `p99 of the delay of the event loop in ms, of which the timer is 10: quiet ${format(quiet.eventLoopMs)}, processors busy ` +
      `${format(busyProcessors.eventLoopMs)}, attacked ${format(attacked.eventLoopMs)}`,
  );
}

function format(ms) {
  return ms.toFixed(1).padStart(5);
}

function sorted(counts) {
  return Object.entries(counts).toSorted(([one], [other]) => one.localeCompare(other));
}
