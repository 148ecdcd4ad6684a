import { setTimeout } from 'node:timers/promises';
import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../src/platform/database/database';
import { Jobs } from '../../src/platform/jobs/jobs';
import { ClusterGauges } from '../../src/platform/metrics/cluster-gauges';
import { Mailer } from '../../src/platform/mail/mailer';
import { version } from '../../package.json';
import { agentOnCall, TestTenant } from '../support/builders';
import { activeCall } from '../support/contexts/transfers';
import { createWebhook, untilFannedOut, waitForAttempts } from '../support/contexts/webhooks';
import { type ScrapedMetrics, scrapeMetrics } from '../support/http/scrape-metrics';
import { closingSockets } from '../support/sockets/connect-sockets';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const POOL_SIZE = 4;
const QUEUE = 'metrics-probe';

@Injectable()
class FailingJobs implements OnModuleInit {
  constructor(private readonly jobs: Jobs) {}

  onModuleInit(): void {
    this.jobs.handle(QUEUE, () => Promise.reject(new Error('This job fails')));
  }
}

/** The metric of a query that fails while the last refresh of the views took this long. */
const BROKEN_MS = 424_242;

@Injectable()
class BreakableGauge {
  constructor(gauges: ClusterGauges) {
    gauges.register({
      name: 'probe_breakable',
      help: 'Fails on demand',
      sql: `SELECT 1 / (1 - count(*)) AS value FROM view_refreshes WHERE duration_ms = ${BROKEN_MS}`,
    });
  }
}

@Module({ providers: [FailingJobs, BreakableGauge] })
class ProbesModule {}

let test: TestApp;
let tenant: TestTenant;
const { connect } = closingSockets(() => test.url);

// An application of its own, because the gauges are about all tenants. No server listens on these ports.
beforeAll(async () => {
  test = await startTestApp({
    imports: [ProbesModule],
    env: {
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      REDIS_URL: 'redis://127.0.0.1:1',
      SMTP_URL: 'smtp://127.0.0.1:1',
    },
  });
  tenant = await TestTenant.register(test);
});

afterAll(() => test.close());

const scrape = () => scrapeMetrics(test.url);

/** Waits for the next reading of the gauges about the installation, which is at most 5 s later. */
async function scrapeUntil(series: string, expected: number): Promise<ScrapedMetrics> {
  let latest: number | undefined;
  return until(
    async () => {
      const metrics = await scrape();
      latest = metrics.valueOf(series);
      return latest === expected && metrics;
    },
    () => `${series} is ${latest} instead of ${expected}`,
  );
}

/** How many waits for a connection were longer than 0.25 s. */
const longWaits = (metrics: ScrapedMetrics) =>
  (metrics.valueOf('vcq_db_pool_wait_seconds_count') ?? 0) -
  (metrics.valueOf('vcq_db_pool_wait_seconds_bucket{le="0.25"}') ?? 0);

const enqueue = (afterSeconds: number) =>
  test.get(Database).system((tx) => test.get(Jobs).enqueue(tx, QUEUE, {}, { afterSeconds }));

/** When the gauges about the installation were read last. */
const readAt = async () => {
  const { rows } = await test.db.query(
    `SELECT query_start FROM pg_stat_activity WHERE application_name = 'video-call-queue metrics'`,
  );
  return rows.map(({ query_start }) => query_start.getTime());
};

const lag = async () => (await scrape()).valueOf('vcq_deadline_lag_seconds') ?? 0;

describe('the metrics of the installation', () => {
  it('are about the calls, agents, deliveries and files of all companies', async () => {
    await enqueue(3600);
    const other = await TestTenant.register(test);
    const { link } = await tenant.queue();
    const webhook = await createWebhook(tenant, undefined, ['call.queued']);
    await activeCall(tenant, link, tenant.owner);
    await connect(tenant.owner.token);
    await connect((await tenant.join(link)).websocket_token);
    await other.join((await other.queue()).link);
    await untilFannedOut(test.db, tenant);
    await waitForAttempts(tenant, webhook.id);
    await test.db.query(
      `INSERT INTO storage_usage (tenant_id, recording_bytes, file_bytes) VALUES ($1, 1000, 24), ($2, 6, 0)
       ON CONFLICT ON CONSTRAINT storage_usage_pkey
       DO UPDATE SET recording_bytes = EXCLUDED.recording_bytes, file_bytes = EXCLUDED.file_bytes`,
      [tenant.id, other.id],
    );
    await test.db.query('INSERT INTO view_refreshes (refreshed_at, duration_ms) VALUES (now(), 1)');
    test.clock.advance(100);
    const metrics = await scrapeUntil('vcq_storage_bytes', 1030);
    const values = (...names: string[]) => names.map((name) => metrics.valueOf(name));
    expect(values('vcq_waiting_calls', 'vcq_active_calls', 'vcq_webhook_deliveries_pending')).toEqual([
      2, 1, 2,
    ]);
    expect(values('vcq_agents{state="on_call"}', 'vcq_agents{state="available"}')).toEqual([1, 0]);
    expect(values('vcq_sockets{kind="staff"}', 'vcq_sockets{kind="customer"}')).toEqual([1, 1]);
    for (const age of values('vcq_oldest_wait_seconds', 'vcq_report_views_age_seconds')) {
      expect(age).toBeGreaterThanOrEqual(100);
      expect(age).toBeLessThan(200);
    }
    expect(metrics.valueOf('vcq_deadline_lag_seconds')).toBe(0);
    const unanswered = metrics.valueOf('vcq_webhook_attempts_total{result="unanswered"}');
    expect(unanswered).toBeGreaterThanOrEqual(2);
  });

  it('are read again only after 5 s, and only when they are scraped', async () => {
    // The first scrapes come too late for what was read before, and on a busy machine so may others.
    const first = await until(async () => {
      const [before] = await readAt();
      await Promise.all([scrape(), scrape()]);
      const [after] = await readAt();
      return after === before && after;
    });
    await until(async () => {
      await Promise.all([scrape(), scrape()]);
      const [second] = await readAt();
      return second !== first && expect(second - first).toBeGreaterThanOrEqual(5000) === undefined;
    });
  });

  it('tell how late a deadline is', async () => {
    const { link } = await tenant.queue({ max_wait_time: 60 });
    const { call_id } = await tenant.join(link);
    await test.db.query('BEGIN');
    await test.db.query('SELECT FROM calls WHERE id = $1 FOR UPDATE', [call_id]);
    test.clock.advance(90);
    await until(async () => (await lag()) > 0);
    const late = await lag();
    expect(late).toBeGreaterThanOrEqual(30);
    expect(late).toBeLessThan(100);
    await test.db.query('ROLLBACK');
  });

  it('tell how many jobs wait', async () => {
    await scrapeUntil(`vcq_jobs{queue="${QUEUE}",state="delayed"}`, 1);
  });

  it('lack only the one whose query fails', async () => {
    expect((await scrape()).valueOf('probe_breakable')).toBe(1);
    const setDuration = (ms: number) => test.db.query('UPDATE view_refreshes SET duration_ms = $1', [ms]);
    await setDuration(BROKEN_MS);
    await test.db.query('UPDATE storage_usage SET file_bytes = 1024 WHERE tenant_id = $1', [tenant.id]);
    const metrics = await scrapeUntil('vcq_storage_bytes', 2030);
    expect(metrics.valueOf('probe_breakable')).toBeUndefined();
    await setDuration(1);
    await scrapeUntil('probe_breakable', 1);
  });
});

describe('the metrics of an instance', () => {
  it('count calls by status, and measure the errors of the estimates that customers were told', async () => {
    const { department, link } = await tenant.queue();
    await agentOnCall(tenant, [department.id]);
    const before = await scrape();
    // Told no wait, because no agent can be reached.
    await activeCall(tenant, (await tenant.queue()).link, tenant.owner);
    await activeCall(tenant, link, tenant.owner);
    const after = await scrape();
    for (const [series, calls] of [
      ['vcq_calls_total{status="queued"}', 2],
      ['vcq_calls_total{status="active"}', 2],
      ['vcq_wait_estimate_error_seconds_count', 1],
    ] as const) {
      expect([series, (after.valueOf(series) ?? 0) - (before.valueOf(series) ?? 0)]).toEqual([series, calls]);
    }
  });

  it('count mails and jobs that fail', async () => {
    const message = { to: { name: '', address: 'ana@example.com' }, subject: '', text: '', html: '' };
    await expect(test.get(Mailer).deliver(message)).rejects.toThrow('could not be sent');
    await enqueue(0);
    // It is repeated, and fails each time.
    const metrics = await until(async () => {
      const latest = await scrape();
      return (latest.valueOf(`vcq_job_failures_total{queue="${QUEUE}"}`) ?? 0) >= 1 && latest;
    });
    expect(metrics.valueOf('vcq_mail_failures_total')).toBe(1);
  });

  it('tell how the connections of the pool are used', async () => {
    const states = ['busy', 'idle', 'unused'].map((state) => `vcq_db_pool_connections{state="${state}"}`);
    const before = longWaits(await scrape());
    const held = Promise.withResolvers<void>();
    const hold = () => test.get(Database).system(() => held.promise);
    // A fifth of a pool of four connections is none, so that these are all.
    const holders = Array.from({ length: POOL_SIZE + 1 }, hold);
    const busy = await scrapeUntil(states[0] ?? '', POOL_SIZE);
    expect(states.map((state) => busy.valueOf(state))).toEqual([POOL_SIZE, 0, 0]);
    await setTimeout(300);
    held.resolve();
    await Promise.all(holders);
    expect(longWaits(await scrape())).toBeGreaterThan(before);
  });

  it('have the version, the state of Redis, and the delay of the event loop', async () => {
    const begin = performance.now();
    while (performance.now() - begin < 100);
    await until(async () => ((await scrape()).valueOf('vcq_event_loop_delay_seconds') ?? 0) >= 0.08);
    const metrics = await scrape();
    expect(metrics.valueOf(`vcq_build_info{version="${version}"}`)).toBe(1);
    expect(metrics.valueOf('vcq_redis_up')).toBe(0);
  });
});
