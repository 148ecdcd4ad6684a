// npm run bench:burst: 300 customers of 20 companies join within one second, while 10 agents take calls. Prints how long the
// joins take, how many are refused, and how long agents wait for the answer when they accept a call. Then 800 customers join in
// the same moment, as their pages do: each repeats what fails by the retries of the page.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { io } from 'socket.io-client';
import { timed } from './support/agent-load.mjs';
import { benchDatabase } from './support/database.mjs';
import { httpClient } from './support/http-client.mjs';
import { insertLinks } from './support/links.mjs';
import { joinAsPage } from './support/page-client.mjs';
import { median, progress, report, row } from './support/report.mjs';
import { createTenant, PASSWORD } from './support/seed-calls.mjs';
import { logIn, startService } from './support/service.mjs';
import { SocketClient } from './support/socket-client.mjs';
import { QUEUE_SETTINGS } from './support/waiting-line.mjs';

const COMPANIES = 20;
const JOINS = Number(process.env.BENCH_JOINS ?? 300);
const AGENTS = 10;
const ROUNDS = 3;
/** A company with an agent has so many customers before the burst, so that the agent takes calls all the time. */
const LINE = 30;
const TALK_MS = 300;
const QUIET_MS = 5000;
const ACK_TIMEOUT_MS = 10_000;
/** Seconds: the page of a customer gives up after 8. */
const MAX_JOIN = 5;
const CROWD = Number(process.env.BENCH_CROWD ?? 800);
/** Seconds until the last of them is in the line. */
const MAX_CROWD = 10;
const MAX_ACCEPT = 0.5;

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  cleanups.push(() => db.end());
  const companies = [];
  for (let n = 0; n < COMPANIES; n++) companies.push(await createCompany(db, `company-${n}`));
  const service = await startService(database.url, QUEUE_SETTINGS);
  cleanups.push(service.stop);
  // A client for each customer, as in life.
  const send = httpClient(service.url, Infinity);
  await insertAgents(db);

  const accepts = { quiet: [], burst: [] };
  let phase;
  const joins = [];
  const statuses = {};
  const sockets = [];
  for (const { token } of companies.slice(0, AGENTS))
    for (let n = 0; n < LINE; n++) await join(token, `before-${n}`);
  const agents = await Promise.all(companies.slice(0, AGENTS).map(({ slug }) => openAgent(slug)));
  cleanups.push(() => agents.forEach((agent) => agent.disconnect()));
  for (let round = 0; round < ROUNDS; round++) {
    phase = accepts.quiet;
    await pause(QUIET_MS);
    phase = accepts.burst;
    await burst(round);
    phase = undefined;
    await pause(1000);
  }
  const crowd = await joinTogether();
  const refused = Object.entries(statuses).filter(([status]) => status !== '200');
  progress(`answers to ${JOINS * ROUNDS} joins: ${JSON.stringify(statuses)}`);
  progress(`calls accepted: ${accepts.quiet.length} before the bursts, ${accepts.burst.length} during them`);
  report([
    row({
      name: 'burst',
      value: seconds(median(joins)),
      unit: 's',
      better: 'lower',
      checks: [
        check(
          'joins refused',
          refused.reduce((sum, [, count]) => sum + count, 0),
          '',
          0,
        ),
        check('join, 99th percentile', seconds(percent(joins, 0.99)), 's', MAX_JOIN),
        check('accept, 95th percentile', seconds(percent(accepts.burst, 0.95)), 's', MAX_ACCEPT),
        { label: 'accept without a burst', value: seconds(percent(accepts.quiet, 0.95)), unit: 's' },
      ],
    }),
    row({
      name: 'crowd',
      value: seconds(median(crowd)),
      unit: 's',
      better: 'lower',
      checks: [check('the last of the crowd is in', seconds(Math.max(...crowd)), 's', MAX_CROWD)],
    }),
  ]);

  /** @returns how long each of the crowd needed, in ms, with all attempts */
  async function joinTogether() {
    const durations = [];
    const answers = {};
    await Promise.all(
      Array.from({ length: CROWD }, (_, n) => {
        const { token } = companies[n % COMPANIES];
        return timed(durations, () => joinAsPage(service.url, token, `Customer of the crowd ${n}`, answers));
      }),
    );
    progress(`answers to ${CROWD} customers at once: ${JSON.stringify(answers)}`);
    return durations;
  }

  /** All customers, each at a time of their own within a second. Ends with the last answer. */
  async function burst(round) {
    await Promise.all(
      Array.from({ length: JOINS }, async (_, n) => {
        const { token } = companies[n % COMPANIES];
        await pause(Math.random() * 1000);
        const answer = await timed(joins, () => join(token, `${round}-${n}`));
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        if (answer.status === 200) connect(answer.body.data.websocket_token);
      }),
    );
    for (const socket of sockets.splice(0)) socket.close();
  }

  function join(token, name) {
    const body = { name: `Customer ${name}` };
    return send('POST', `/api/v1/call/${token}/join`, { body });
  }

  /** The page connects as soon as the customer is in the line. */
  function connect(token) {
    const socket = new SocketClient(service.url, token, () => {});
    sockets.push(socket);
    void socket.open();
  }

  /** Accepts each offered call, talks for a moment and completes it. */
  async function openAgent(slug) {
    const request = await logIn(service.url, { slug, email: `agent@${slug}.example`, password: PASSWORD });
    const socket = io(service.url, {
      path: '/socket/websocket',
      transports: ['websocket'],
      auth: { token: request.token },
      forceNew: true,
    });
    const emit = (event, data) => socket.timeout(ACK_TIMEOUT_MS).emitWithAck(event, data);
    const take = async ({ offer: { id, call_id } }) => {
      const accepted = await timed(phase ?? [], () => emit('accept_offer', { offer_id: id }));
      if (!accepted.ok) return;
      await pause(TALK_MS);
      await request('POST', `/api/v1/calls/${call_id}/complete`);
    };
    // At the end, a socket is closed while it waits for an answer.
    const tryToTake = (offer) => take(offer).catch((error) => socket.connected && progress(String(error)));
    socket.on('snapshot', ({ offers }) => offers.forEach(tryToTake));
    socket.on('offer', tryToTake);
    await new Promise((resolve, reject) => {
      socket.once('snapshot', resolve);
      socket.once('connect_error', reject);
    });
    return socket;
  }
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

async function createCompany(db, slug) {
  const { tenant } = await createTenant(db, slug);
  const [token] = await insertLinks(db, tenant.id, 1);
  await db.query(`UPDATE departments SET routing = 'automatic' WHERE tenant_id = $1`, [tenant.id]);
  return { slug, token };
}

/** One for each company, in its department. */
function insertAgents(db) {
  return db.query(
    `WITH agent AS (
       INSERT INTO users (tenant_id, name, email, role, password_hash)
       SELECT t.id, 'Agent', 'agent@' || t.slug || '.example', 'attendant', u.password_hash
       FROM tenants t JOIN users u ON u.tenant_id = t.id RETURNING id, tenant_id)
     INSERT INTO department_members (tenant_id, department_id, user_id)
     SELECT d.tenant_id, d.id, agent.id FROM agent JOIN departments d ON d.tenant_id = agent.tenant_id`,
  );
}

function check(label, value, unit, target) {
  return { label, value, unit, target, better: 'lower' };
}

function percent(values, share) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)];
}

function seconds(ms) {
  return ms / 1000;
}
