// npm run bench:capacity: the load test against one instance with its PostgreSQL, with more and more agents, and the CPU time that
// the service and PostgreSQL need for it. All share the cores of this machine. Takes four minutes; numbers as arguments choose stages.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { benchDatabase } from './support/database.mjs';
import { residentMib } from './support/memory.mjs';
import { cpuMs } from './support/processes.mjs';
import { progress, report, row } from './support/report.mjs';
import { createTenant, PASSWORD } from './support/seed-calls.mjs';
import { startService } from './support/service.mjs';
import { Histogram } from '../loadtest/figures/histogram.mjs';

/** Short calls show what a call costs from join to rating, long ones what it costs to go on. */
const STAGES = [
  { customers: 65, agents: 50, talkSeconds: 10, minutes: 0.5 },
  { customers: 200, agents: 150, talkSeconds: 10, minutes: 0.6 },
  { customers: 330, agents: 300, talkSeconds: 60, minutes: 0.9 },
  { customers: 240, agents: 200, departments: 10, talkSeconds: 20, minutes: 0.6 },
];
const LIMITS = {
  PUBLIC_RATE_LIMIT: '1000000',
  AUTH_RATE_LIMIT: '1000000',
  AUTH_ADDRESS_RATE_LIMIT: '1000000',
};
const SHOWN_STEPS = ['join', 'offer', 'accept', 'signal', 'complete', 'rate'];
const SAMPLE_MS = 500;

const numbers = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
const chosen = numbers.length > 0 ? numbers.map((number) => STAGES[number - 1]) : STAGES;

const folder = mkdtempSync(join(tmpdir(), 'video-queue-capacity-'));
const database = await benchDatabase();
const cleanups = [async () => rmSync(folder, { recursive: true }), database.stop];
try {
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  cleanups.push(() => db.end());
  const { tenant } = await createTenant(db, 'capacity');
  const service = await startService(database.url, LIMITS);
  cleanups.push(service.stop);
  const rows = [];
  for (const stage of chosen) rows.push(await runStage(stage, service, tenant.slug, db));
  report(rows);
  if (rows.some(({ status }) => status !== 0)) process.exitCode = 1;
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

/** @returns a row with the calls a second, the CPU time of both sides, and the latencies */
async function runStage({ customers, agents, departments = 1, talkSeconds, minutes }, service, tenant, db) {
  const json = join(folder, `${agents}.json`);
  const options = {
    customers,
    agents,
    departments,
    minutes,
    'talk-seconds': talkSeconds,
    'join-rate': 15,
    json,
  };
  const child = spawn(
    process.execPath,
    [
      'loadtest/main.mjs',
      '--target',
      service.url,
      '--tenant',
      tenant,
      '--email',
      `owner@${tenant}.example`,
      ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ],
    {
      env: { ...process.env, LOADTEST_PASSWORD: PASSWORD },
      stdio: ['ignore', process.stderr, process.stderr],
    },
  );
  const samples = await sampleUntil(once(child, 'exit'), service.stop.pid, child.pid, db);
  const result = JSON.parse(readFileSync(json, 'utf8'));
  const { timeline, counts, steps } = result;
  // The first and last seconds, with joins or ends only, do not count.
  const [begin, end] = [timeline[Math.floor(timeline.length / 3)].at, timeline.at(-8).at];
  const used = (side) => sampleAt(samples, end)[side] - sampleAt(samples, begin)[side];
  const answered = answeredAt(timeline, end) - answeredAt(timeline, begin);
  const active = timeline.find(({ at }) => at === end)?.active;
  const seconds = end - begin;
  const figures = {
    calls_per_second: answered / seconds,
    active,
    service_ms_per_second: used('service') / seconds,
    database_ms_per_second: used('database') / seconds,
    client_ms_per_second: used('client') / seconds,
    resident_mib: Math.max(...samples.map(({ resident }) => resident)),
    p95: Object.fromEntries(
      SHOWN_STEPS.map((step) => [step, new Histogram(steps[step]).percentile(0.95)?.toFixed(0)]),
    ),
    completed: counts.completed,
  };
  progress(JSON.stringify(figures));
  const value = figures.calls_per_second;
  return row({ name: `capacity_${agents}`, value, unit: 'calls/s', status: child.exitCode, ...figures });
}

/** The CPU time of the service, PostgreSQL and the client so far, twice a second. */
async function sampleUntil(ended, servicePid, clientPid, db) {
  const samples = [];
  const over = ended.then(() => true);
  for (;;) {
    const backends = (await db.query('SELECT pid FROM pg_stat_activity')).rows.map(({ pid }) => pid);
    samples.push({
      at: Date.now() / 1000,
      service: cpuMs(servicePid),
      database: backends.reduce((sum, pid) => sum + cpuOf(pid), 0),
      client: cpuOf(clientPid),
      resident: residentMib(servicePid),
    });
    const pause = new Promise((resolve) => setTimeout(() => resolve(false), SAMPLE_MS));
    if (await Promise.race([over, pause])) return samples;
  }
}

/** A process may have ended since. */
function cpuOf(pid) {
  try {
    return cpuMs(pid);
  } catch {
    return 0;
  }
}

function sampleAt(samples, at) {
  return samples.find((sample) => sample.at >= at) ?? samples.at(-1);
}

function answeredAt(timeline, at) {
  return timeline.find((moment) => moment.at >= at).answered;
}
