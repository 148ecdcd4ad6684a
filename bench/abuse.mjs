// npm run bench:abuse: a malicious customer and a malicious supervisor of one tenant do everything at once that was ever
// seen to slow the service down, while supervisors of another tenant handle calls. Prints how long the other tenant's
// requests take compared with a quiet service, in the median of several rounds, and with a quiet service on processors that
// low-priority processes keep busy, as the attackers do besides their attack. Then it runs attacks.mjs.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import pg from 'pg';
import { AgentLoad, percentile95, timed } from './support/agent-load.mjs';
import { benchDatabase } from './support/database.mjs';
import { insertLinks } from './support/links.mjs';
import { reportAbuse } from './support/abuse-report.mjs';
import { forkInOwnSession } from './support/low-priority.mjs';
import { seedCalls } from './support/seed-calls.mjs';
import { logIn, startService } from './support/service.mjs';
import { insertSupervisors } from './support/supervisors.mjs';

const CALLS = 200_000;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SECONDS = Number(process.env.SECONDS ?? 25);
const WARM_UP_SECONDS = 5;
/** Until the service has a connection to the database for everything, and the attackers have used up what they may at once. */
const ATTACK_WARM_UP_SECONDS = 15;
/** So many that each kind of request occurs about a hundred times in a phase: percentiles of fewer say little. */
const AGENTS = 4;
/** After an attack, until what it has left behind is done. */
const SETTLE_SECONDS = 10;
const LIST_PAUSE_MS = 20;
const UPLOAD_PAUSE_MS = 250;
/** The limits of production: clients behind a proxy have addresses, and nobody is exempt. */
const LIMITS = { TRUST_PROXY: 'loopback', API_RATE_LIMIT: '3000', QUEUE_MAX_PER_ADDRESS: '10' };
const RECORDING = readFileSync(new URL('../test/fixtures/call.webm', import.meta.url));
/** Each customer of the other tenant has an address of its own. */
let customers = 0;
let refusals = 0;
let refusedDuringAttacks = 0;
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
  await insertSupervisors(db, tenants.get('bench'), 'bench', 1);
  await insertSupervisors(db, tenants.get('neighbour'), 'neighbour', AGENTS);
  const service = await startService(database.url, LIMITS);
  cleanups.push(service.stop);
  const logInAs = (slug, user, address) =>
    logIn(service.url, { slug, email: `${user}@${slug}.example`, password }, { 'x-forwarded-for': address });
  const victim = untilServed(await logInAs('neighbour', 'owner', '203.0.113.1'));
  const supervisors = await Promise.all(
    Array.from({ length: AGENTS }, (_, n) =>
      logInAs('neighbour', `supervisor${n + 1}`, `203.0.113.${n + 2}`),
    ),
  );
  const attacker = await logInAs('bench', 'supervisor1', '198.51.100.2');

  const [{ id: pastCall }] = (await readList()).data;
  const agents = new AgentLoad(service.url, supervisors.map(untilServed), victimLinks, nextCustomer);
  await measure(WARM_UP_SECONDS);
  const busyProcessors = await withSpinning(() => measure(SECONDS));
  const counts = {};
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) await measure(SETTLE_SECONDS);
    const quiet = await measure(SECONDS);
    rounds.push({ quiet, attacked: await measureAttacked(counts) });
  }
  reportAbuse({ rounds, busyProcessors, refusals: refusedDuringAttacks, counts });

  /** @param counts to which the answers to the attack are added */
  async function measureAttacked(counts) {
    const attack = await startAttack();
    await measure(ATTACK_WARM_UP_SECONDS);
    const before = refusals;
    const attacked = await measure(SECONDS);
    refusedDuringAttacks += refusals - before;
    attack.send('counts');
    const [answers] = await once(attack, 'message');
    for (const [answer, count] of Object.entries(answers)) counts[answer] = (counts[answer] ?? 0) + count;
    await attack.stop();
    return attacked;
  }

  /** @returns the 95th percentile of each kind of the victim's requests, and of the delay of the event loop, in ms */
  async function measure(seconds) {
    const lists = [];
    const uploads = [];
    await eventLoopDelay(service.url);
    const figures = await agents.p95During(() =>
      Promise.all([
        repeatFor(seconds, LIST_PAUSE_MS, () => timed(lists, readList)),
        repeatFor(seconds, UPLOAD_PAUSE_MS, () => timed(uploads, uploadRecording)),
      ]),
    );
    return {
      latencies: { ...figures, list: percentile95(lists), upload: percentile95(uploads) },
      eventLoopMs: await eventLoopDelay(service.url),
    };
  }

  function readList() {
    return victim('GET', '/api/v1/calls?status=completed');
  }

  async function uploadRecording() {
    const form = new FormData();
    form.append('file', new Blob([RECORDING], { type: 'video/webm' }), 'call.webm');
    const path = `/api/v1/calls/${pastCall}/recording/upload`;
    const headers = { authorization: `Bearer ${victim.token}`, ...victim.clientHeaders };
    const response = await fetch(service.url + path, { method: 'POST', headers, body: form });
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }

  async function startAttack() {
    const entry = await fetch(`${service.url}/api/v1/call/${linkToken}/join`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...nextCustomer() },
      body: JSON.stringify({ name: 'Malicious' }),
    });
    const { call_id: callId, websocket_token: websocketToken } = (await entry.json()).data;
    // Signals are relayed while a call is active.
    await attacker('POST', `/api/v1/calls/${callId}/start`);
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

async function repeatFor(seconds, pauseMs, work) {
  for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
    await work();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
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

// Each of the attacks that have a single aim, on a database of their own.
await import('./attacks.mjs');
