// npm run bench:join: customers join while a line grows to 5,000. It compares the rate at which they join a line of 5,000
// with that of a line of 100.
import pg from 'pg';
import { benchDatabase } from './support/database.mjs';
import { httpClient } from './support/http-client.mjs';
import { insertLinks } from './support/links.mjs';
import { progress, report, row } from './support/report.mjs';
import { createTenant } from './support/seed-calls.mjs';
import { startService } from './support/service.mjs';
import { insertWaiting, QUEUE_SETTINGS } from './support/waiting-line.mjs';

const WAITING = 5000;
const WORKERS = 16;
/** The lengths of the line between which its first and its last joins are measured. */
const SHORT_LINE = { from: 50, to: 250 };
const LONG_LINE = { from: 4500, to: WAITING };
const WARM_UP_JOINS = 300;
/** Customers who would have to join after this time are inserted, so that the run ends in time. */
const MAX_GROWTH_SECONDS = 30;

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  cleanups.push(() => db.end());
  const { tenant } = await createTenant(db, 'bench');
  const [warmUpLink, link] = await insertLinks(db, tenant.id, 2);
  const service = await startService(database.url, QUEUE_SETTINGS);
  cleanups.push(service.stop);
  const request = httpClient(service.url, WORKERS);

  await join(warmUpLink, WARM_UP_JOINS);
  const begin = performance.now();
  let joined = await join(link, SHORT_LINE.from);
  const short = await rateOf(SHORT_LINE);
  const growth = await join(link, LONG_LINE.from - SHORT_LINE.to, MAX_GROWTH_SECONDS);
  const growthMs = performance.now() - begin;
  const inserted = LONG_LINE.from - SHORT_LINE.to - growth;
  if (inserted > 0) await insertWaiting(db, link, inserted);
  const long = await rateOf(LONG_LINE);
  joined += short.count + growth + long.count;
  const growthRate = (joined * 1000) / (growthMs + long.ms);
  progress(
    `joins/s: ${short.rate.toFixed(0)} to a line of 100, ${long.rate.toFixed(0)} to one of ${WAITING}`,
  );
  if (inserted > 0) progress(`${inserted} of the customers were inserted to save time`);
  const [unit, target] = ['joins/s', 0.6];
  const checks = [{ label: 'while the line grows', value: growthRate, unit, target: 150 }];
  report([row({ name: 'join', value: long.rate, unit, peer: short.rate, target, checks, inserted })]);

  async function rateOf({ from, to }) {
    const start = performance.now();
    const count = await join(link, to - from);
    const ms = performance.now() - start;
    return { count, ms, rate: (count * 1000) / ms };
  }

  /** Joins, WORKERS at a time, until the number or the time is reached. @returns the number of joins */
  async function join(token, count, seconds = Infinity) {
    const end = performance.now() + seconds * 1000;
    let started = 0;
    const workers = Array.from({ length: WORKERS }, async () => {
      while (started < count && performance.now() < end) {
        const body = { name: `Customer ${started++}` };
        const { status, body: answer } = await request('POST', `/api/v1/call/${token}/join`, { body });
        if (status !== 200) throw new Error(`${status} ${JSON.stringify(answer)}`);
      }
    });
    await Promise.all(workers);
    return started;
  }
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}
