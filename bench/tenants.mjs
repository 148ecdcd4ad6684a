// npm run bench:tenants: what an installation with 1,000 companies with small lines costs, compared with one in which 10 companies
// have the same calls: a start, the work of the background (sweeps, heartbeats) when nothing happens, the gauges of a scrape, and
// the sockets of 1,000 customers. Takes two and a half minutes.
import { existsSync } from 'node:fs';
import pg from 'pg';
import { benchDatabase } from './support/database.mjs';
import { insertFinishedCalls, insertTenants, insertWaitingCalls } from './support/growth-data.mjs';
import { residentMib } from './support/memory.mjs';
import { cpuMs } from './support/processes.mjs';
import { median, progress, report, row } from './support/report.mjs';
import { startService } from './support/service.mjs';
import { startSocketClients } from './support/socket-clients.mjs';
import { QUEUE_SETTINGS, tokensService } from './support/waiting-line.mjs';

const SIZES = [10, 1000];
/** Of all companies together. */
const WAITING = 3000;
const FINISHED = 100_000;
const SOCKETS = 1000;
const STARTS = 3;
const IDLE_MS = 20_000;
/** Gauges are read again only after 5 s. */
const SCRAPE_INTERVAL_MS = 5100;
const SCRAPES = 3;
const TOKEN_SECONDS = 3600;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const figures = [];
for (const size of SIZES) {
  const measured = await measure(size);
  progress(`${size} companies: ${JSON.stringify(measured)}`);
  figures.push(measured);
}
const [few, many] = figures;
report(
  Object.entries({
    start: 'ms',
    service_cpu: 'ms/s',
    database_cpu: 'ms/s',
    gauges: 'ms',
    connect: 'sockets/s',
    resident: 'MiB',
  }).map(([name, unit]) =>
    row({
      name: `tenants_${name}`,
      value: many[name],
      unit,
      peer: few[name],
      better: name === 'connect' ? 'higher' : 'lower',
    }),
  ),
);

async function measure(size) {
  const database = await benchDatabase();
  const cleanups = [database.stop];
  try {
    const db = new pg.Client({ connectionString: database.url });
    await db.connect();
    cleanups.push(() => db.end());
    await insertTenants(db, size);
    await db.query(`UPDATE departments SET routing = 'automatic'`);
    await insertFinishedCalls(db, FINISHED / size);
    await insertWaitingCalls(db, WAITING / size);
    const starts = [];
    let service;
    for (let n = 0; n < STARTS; n++) {
      await service?.stop();
      const begin = performance.now();
      service = await startService(database.url, QUEUE_SETTINGS);
      starts.push(performance.now() - begin);
    }
    cleanups.push(service.stop);
    const idle = await idleCost(db, service.stop.pid);
    const gauges = await gaugesMs(service.url);
    const connect = await connectSockets(db, service.url);
    return { start: median(starts), ...idle, gauges, connect, resident: residentMib(service.stop.pid) };
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  }
}

/** CPU time for each second in which nothing happens. */
async function idleCost(db, pid) {
  // The start has ended, too, for what it does afterwards.
  await pause(5000);
  const backends = (await db.query('SELECT pid FROM pg_stat_activity')).rows.map((backend) => backend.pid);
  const ofDatabase = () =>
    backends.filter((one) => existsSync(`/proc/${one}`)).reduce((sum, one) => sum + cpuMs(one), 0);
  const [service, database] = [cpuMs(pid), ofDatabase()];
  await pause(IDLE_MS);
  const perSecond = (ms) => (ms * 1000) / IDLE_MS;
  return { service_cpu: perSecond(cpuMs(pid) - service), database_cpu: perSecond(ofDatabase() - database) };
}

/** How much longer a scrape takes that reads the gauges of the installation than one that does not. */
async function gaugesMs(url) {
  const scrape = async () => {
    const begin = performance.now();
    await (await fetch(`${url}/metrics`)).text();
    return performance.now() - begin;
  };
  const durations = [];
  for (let n = 0; n < SCRAPES; n++) {
    await pause(SCRAPE_INTERVAL_MS);
    const first = await scrape();
    durations.push(first - (await scrape()));
  }
  return median(durations);
}

/** Sockets of customers of as many companies as possible. @returns how many a second have their first snapshot */
async function connectSockets(db, url) {
  const { rows } = await db.query(
    `SELECT id, tenant_id FROM (SELECT id, tenant_id, row_number() OVER (PARTITION BY tenant_id) AS n FROM calls
       WHERE status = 'queued') AS waiting ORDER BY n LIMIT $1`,
    [SOCKETS],
  );
  const tokens = tokensService();
  const clients = startSocketClients();
  try {
    const begin = performance.now();
    await clients.connect(
      url,
      rows.map(({ id, tenant_id }) => tokens.sign('customer', { sub: id, tid: tenant_id }, TOKEN_SECONDS)),
    );
    return (rows.length * 1000) / (performance.now() - begin);
  } finally {
    await clients.stop();
  }
}
