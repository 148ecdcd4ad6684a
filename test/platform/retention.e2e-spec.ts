import { Database } from '../../src/platform/database/database';
import { Retention } from '../../src/platform/jobs/retention';
import { expectStatus, someId, TestTenant } from '../support/builders';
import { createWebhook } from '../support/contexts/webhooks';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const DAY_SECONDS = 86_400;
const AUDIT_DAYS = 60;

let test: TestApp;
let tenant: TestTenant;
let webhook: string;

beforeAll(async () => {
  test = await startTestApp({ env: { RETENTION_AUDIT_DAYS: String(AUDIT_DAYS) } });
  tenant = await TestTenant.register(test);
  webhook = (await createWebhook(tenant)).id;
});

afterEach(() => test.clock.reset());

afterAll(() => test.close());

const purge = (signal = new AbortController().signal) => test.get(Retention).run(signal);

/** Days of retention, and the columns and a row of each table for the parameters tenant ($1), time ($2), user ($3) and webhook ($4). */
const ROWS: Record<string, { days: number; insert: string }> = {
  domain_events: {
    days: 30,
    insert: `(tenant_id, type, subject_id, payload, occurred_at)
      SELECT $1::uuid, 'department.created', $3::uuid, '{}', $2::timestamptz WHERE $4::uuid IS NOT NULL`,
  },
  webhook_deliveries: {
    days: 30,
    insert: `(tenant_id, webhook_id, event, payload, status, inserted_at)
      SELECT $1::uuid, $4::uuid, 'department.created', '{}', 'failed', $2::timestamptz WHERE $3::uuid IS NOT NULL`,
  },
  presence_periods: {
    days: 400,
    insert: `(tenant_id, user_id, presence, began_at, ended_at)
      SELECT $1::uuid, $3::uuid, 'online', $2::timestamptz - interval '1 hour', $2 WHERE $4::uuid IS NOT NULL`,
  },
  queue_alerts: {
    days: 30,
    insert: `(tenant_id, department_id, kind, since, ended_at)
      SELECT $1::uuid, $3::uuid, 'longest_wait', $2::timestamptz - interval '1 hour', $2 WHERE $4::uuid IS NOT NULL`,
  },
  audit_log: {
    days: AUDIT_DAYS,
    insert: `(tenant_id, action, subject_type, subject_id, inserted_at)
      SELECT $1::uuid, 'department.created', 'department', $3::uuid, $2::timestamptz WHERE $4::uuid IS NOT NULL`,
  },
};

/** The columns with the ages of rows, where it is not inserted_at. */
const AGE_COLUMNS: Record<string, string> = {
  domain_events: 'occurred_at',
  presence_periods: 'ended_at',
  queue_alerts: 'ended_at',
};

/** The same number for each table. */
const all = (count: number) => Object.fromEntries(Object.keys(ROWS).map((table) => [table, count]));

/** Inserts rows of the given age, one each second. */
async function insertOld(
  table: string,
  age: { days: number; seconds?: number },
  count = 1,
  of = { tenant, webhook },
): Promise<void> {
  const from = test.clock.in(-age.days * DAY_SECONDS - (age.seconds ?? 0));
  const { insert } = ROWS[table] ?? { insert: '' };
  await test.db.query(
    `INSERT INTO ${table} ${insert.replace('WHERE', 'FROM generate_series(1, $5::int) WHERE')}`,
    [of.tenant.id, from, of.tenant.owner.id, of.webhook, count],
  );
}

async function rowCount(table: string): Promise<number> {
  const { rows } = await test.db.query(`SELECT count(*)::int AS count FROM ${table}`);
  return rows[0].count;
}

async function purgedMetric(table: string): Promise<number> {
  const text = await (await fetch(`${test.url}/metrics`)).text();
  return Number(
    new RegExp(`^vcq_retention_purged_rows_total{table="${table}"} (\\d+)$`, 'm').exec(text)?.[1],
  );
}

describe('the nightly purge', () => {
  it('is scheduled once for all tables', async () => {
    const { rows } = await test.db.query(`SELECT cron FROM pgboss.schedule WHERE name = 'purge-old-rows'`);
    expect(rows).toEqual([{ cron: '23 3 * * *' }]);
  });

  it.each(Object.entries(ROWS))(
    'deletes the rows of %s that are too old, and no others',
    async (table, { days }) => {
      const recentCount = await rowCount(table);
      const metric = await purgedMetric(table);
      await insertOld(table, { days, seconds: -60 });
      await purge();
      expect([await rowCount(table), await purgedMetric(table)]).toEqual([recentCount + 1, metric]);
      test.clock.advance(120);
      await purge();
      expect([await rowCount(table), await purgedMetric(table)]).toEqual([recentCount, metric + 1]);
    },
  );

  it('deletes many rows in several transactions', async () => {
    const [recentCount, metric] = [await rowCount('domain_events'), await purgedMetric('domain_events')];
    await insertOld('domain_events', { days: 31 }, 2500);
    const transactions = jest.spyOn(test.get(Database), 'system');
    await purge();
    const { length } = transactions.mock.calls;
    transactions.mockRestore();
    expect(length).toBeGreaterThanOrEqual(2 + test.get(Retention).rules.length);
    expect(await rowCount('domain_events')).toBe(recentCount);
    expect(await purgedMetric('domain_events')).toBe(metric + 2500);
  });

  it('stops between two transactions when its attempt ends, and the next one continues', async () => {
    const recentCount = await rowCount('domain_events');
    const count = 30_000;
    await insertOld('domain_events', { days: 31 }, count);
    const attempt = new AbortController();
    const [run] = await Promise.allSettled([
      purge(attempt.signal),
      until(async () => (await rowCount('domain_events')) < recentCount + count).then(() =>
        attempt.abort(new Error('The attempt ended')),
      ),
    ]);
    expect(run).toMatchObject({ status: 'rejected', reason: { message: 'The attempt ended' } });
    const left = await rowCount('domain_events');
    expect(left).toBeGreaterThan(recentCount);
    expect(left % 1000).toBe(recentCount % 1000);
    await purge();
    expect(await rowCount('domain_events')).toBe(recentCount);
  });

  it('stops at once when the service stops, which keeps the audit log unless it has a limit', async () => {
    const [recentCount, auditCount] = [await rowCount('domain_events'), await rowCount('audit_log')];
    await insertOld('audit_log', { days: 4000 });
    const other = await startTestApp({ databaseUrl: test.databaseUrl });
    await other.get(Retention).run(new AbortController().signal);
    expect(await rowCount('audit_log')).toBe(auditCount + 1);
    await insertOld('domain_events', { days: 31 }, 30_000);
    const running = other.get(Retention).run(new AbortController().signal);
    const outcome = running.then(
      () => 'completed',
      (error: Error) => error.message,
    );
    await until(async () => (await rowCount('domain_events')) < recentCount + 30_000);
    await other.close();
    expect(await outcome).toBe('The service stops');
    await purge();
    expect([await rowCount('domain_events'), await rowCount('audit_log')]).toEqual([recentCount, auditCount]);
  });

  it('keeps pending deliveries, so that a replay of old ones sends all of them', async () => {
    await insertOld('webhook_deliveries', { days: 31 }, 2);
    await test.db.query(
      `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = now() + interval '1 hour'
       WHERE id = (SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'failed' LIMIT 1)`,
      [webhook],
    );
    await purge();
    const { rows } = await test.db.query('SELECT status FROM webhook_deliveries WHERE webhook_id = $1', [
      webhook,
    ]);
    expect(rows).toEqual([{ status: 'pending' }]);
  });

  it('keeps what is under a legal hold, and purges the rest although its batches would be full', async () => {
    const held = await TestTenant.register(test);
    const ofHeld = { tenant: held, webhook: (await createWebhook(held)).id };
    const customer = (await held.owner.api.post('/api/v1/customers', { name: 'Carla' })).body.data.id;
    const hold = (customerId: string | null) =>
      test.db.query(
        `INSERT INTO legal_holds (tenant_id, customer_id, reason, inserted_at) VALUES ($1, $2, 'A lawsuit', now())`,
        [held.id, customerId],
      );
    const release = () => test.db.query('DELETE FROM legal_holds');
    const oldRows = async (tenantId: string) => {
      const counts: Record<string, number> = {};
      for (const table of Object.keys(ROWS)) {
        const column = AGE_COLUMNS[table] ?? 'inserted_at';
        const { rows } = await test.db.query(
          `SELECT count(*)::int AS count FROM ${table} WHERE tenant_id = $1 AND ${column} < $2`,
          [tenantId, test.clock.in(-500 * DAY_SECONDS)],
        );
        counts[table] = rows[0].count;
      }
      return counts;
    };
    for (const table of Object.keys(ROWS)) {
      await insertOld(table, { days: 600 }, 1100, ofHeld);
      await insertOld(table, { days: 501 });
    }
    await hold(null);
    await purge();
    expect([await oldRows(held.id), await oldRows(tenant.id)]).toEqual([all(1100), all(0)]);

    await release();
    await test.db.query(
      'UPDATE webhook_deliveries SET customer_id = $2 WHERE id = (SELECT id FROM webhook_deliveries WHERE tenant_id = $1 LIMIT 1)',
      [held.id, customer],
    );
    await hold(customer);
    await purge();
    // Domain events and rows of the audit log do not tell which customer they are about.
    const kept = { ...all(0), domain_events: 1100, audit_log: 1100, webhook_deliveries: 1 };
    expect(await oldRows(held.id)).toEqual(kept);

    await release();
    await purge();
    expect(await oldRows(held.id)).toEqual(all(0));
  });

  it('does not change a report of the days whose presence is kept', async () => {
    for (const days of [10, 390, 401, 402]) await insertOld('presence_periods', { days });
    const [from, to] = [test.clock.in(-399 * DAY_SECONDS), test.clock.in(-5 * DAY_SECONDS)];
    const query = new URLSearchParams({ date_from: from.toISOString(), date_to: to.toISOString() });
    const report = async () => {
      const answer = await tenant.owner.api.get(`/api/v1/analytics/agents?${query.toString()}`);
      expectStatus(answer, 200);
      return answer.body.data;
    };
    const before = await report();
    expect(before).toMatchObject([{ online_time: 7200, occupancy: 0 }]);
    await purge();
    const { rows } = await test.db.query(
      `SELECT count(*)::int AS count FROM presence_periods WHERE ended_at < 'infinity'`,
    );
    expect(rows).toEqual([{ count: 2 }]);
    expect(await report()).toEqual(before);
  });

  it('reads every table by an index', async () => {
    const old = new Set(Object.keys(ROWS));
    for (const table of old) await insertOld(table, { days: 1 }, 5000);
    await test.db.query(
      `INSERT INTO gateway_events (gateway, event_id, event, payload)
       SELECT 'asaas', n::text, 'PAYMENT_CREATED', '{}' FROM generate_series(1, 5000) AS n`,
    );
    await test.db.query('ANALYZE');
    const { rules } = test.get(Retention);
    expect(rules.map(({ table }) => table).sort()).toEqual([...old, 'gateway_events'].sort());
    for (const { table, purgeSql } of rules) {
      const plan = await test
        .get(Database)
        .system((tx) =>
          tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${purgeSql}`, [test.clock.in(-29 * DAY_SECONDS), 1000]),
        );
      const lines = plan.map((row) => row['QUERY PLAN']);
      expect(lines.filter((line) => line.includes(`Seq Scan on ${table}`))).toEqual([]);
      expect(lines.join('\n')).toMatch(new RegExp(`Index (Only )?Scan using \\w+ on ${table}`));
    }
  });
});

describe('the function that purges the audit log', () => {
  it('keeps rows that are younger than 30 days, whatever the service requests', async () => {
    await insertOld('audit_log', { days: 29 });
    await insertOld('audit_log', { days: 31 });
    const before = await rowCount('audit_log');
    const purged = await test
      .get(Database)
      .tenant(tenant.id, (tx) =>
        tx.query('SELECT purge_audit_log(ARRAY(SELECT id FROM audit_log)) AS id FROM (VALUES ($1)) AS x', [
          'x',
        ]),
      );
    expect(purged).toHaveLength(1);
    expect(await rowCount('audit_log')).toBe(before - 1);
    await expect(
      test.get(Database).tenant(tenant.id, async (tx) => {
        await tx.query(`SELECT set_config('app.audit_purge', 'on', true)`);
        await tx.query('DELETE FROM audit_log');
      }),
    ).rejects.toMatchObject({ code: '42501' });
  });

  it('lets others write to the audit log before its transaction has ended', async () => {
    await insertOld('audit_log', { days: AUDIT_DAYS + 1 }, 1000);
    const before = test.clock.in(-AUDIT_DAYS * DAY_SECONDS);
    const purgeSql = test.get(Retention).rules.find(({ table }) => table === 'audit_log')?.purgeSql ?? '';
    const counts = await test.get(Database).system(async (tx) => {
      const purged = await tx.query(purgeSql, [before, 1000]);
      const others = await rowCount('audit_log');
      // A statement that waited for a lock would be given up, and the response would be 503.
      await tenant.department();
      await insertOld('audit_log', { days: 0 });
      await until(
        async () => (await rowCount('audit_log')) >= others + 2,
        () => 'the department is not in the audit log',
      );
      return { purged: purged.length, others };
    });
    expect(counts.purged).toBe(1000);
    expect(await rowCount('audit_log')).toBeLessThan(counts.others);
  });

  it('keeps all rows of a tenant that has a legal hold', async () => {
    await insertOld('audit_log', { days: 31 });
    await test.db.query(
      `INSERT INTO legal_holds (tenant_id, reason, inserted_at) VALUES ($1, 'A lawsuit', now())`,
      [tenant.id],
    );
    const purgeTenant = () =>
      test
        .get(Database)
        .tenant(tenant.id, (tx) => tx.query('SELECT purge_audit_log(ARRAY(SELECT id FROM audit_log)) AS id'));
    expect(await purgeTenant()).toEqual([]);
    await test.db.query('DELETE FROM legal_holds WHERE tenant_id = $1', [tenant.id]);
    expect(await purgeTenant()).toHaveLength(1);
  });

  it('purges only rows of the tenant in whose scope it runs', async () => {
    const other = await TestTenant.register(test);
    await insertOld('audit_log', { days: 31 });
    const { rows } = await test.db.query(
      `SELECT id FROM audit_log WHERE tenant_id = $1 AND inserted_at < $2`,
      [tenant.id, test.clock.in(-30.5 * DAY_SECONDS)],
    );
    const ids = rows.map(({ id }) => String(id));
    const purgeIn = (tenantId: string) =>
      test.get(Database).tenant(tenantId, (tx) => tx.query('SELECT purge_audit_log($1) AS id', [ids]));
    expect(ids).toHaveLength(1);
    expect(await purgeIn(someId())).toEqual([]);
    expect(await purgeIn(other.id)).toEqual([]);
    expect(await purgeIn(tenant.id)).toEqual([{ id: ids[0] }]);
  });
});
