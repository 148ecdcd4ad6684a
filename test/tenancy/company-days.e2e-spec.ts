import type { Json } from '../support/http/api';
import { csvRows } from '../support/contexts/csv';
import { createWebhook } from '../support/contexts/webhooks';
import { expectStatus, TestTenant } from '../support/builders';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

/** The day of 2026-03-10 in São Paulo, and in Tokyo: the first and the last millisecond, and those beside them. */
const SAO_PAULO = ['10T02:59:59.999', '10T03:00:00.000', '11T02:59:59.999', '11T03:00:00.000'];
const TOKYO = ['09T14:59:59.999', '09T15:00:00.000', '10T14:59:59.999', '10T15:00:00.000'];
const TIMES = [...SAO_PAULO, ...TOKYO].map((time) => `2026-03-${time}Z`).sort();

let test: TestApp;
let tenant: TestTenant;
let webhook: Json;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  webhook = await createWebhook(tenant);
  await insertRows(tenant, webhook);
});

afterAll(() => test.close());

/** Inserts one row of each kind at each of the times. */
async function insertRows({ id, owner }: TestTenant, webhook: Json): Promise<void> {
  const tables = [
    `calls (tenant_id, status, department_name, customer_name, estimated_wait_time, inserted_at, updated_at, ended_at)
       SELECT $1, 'missed', 'Support', 'Bia', 0, at, at, at`,
    `access_links (tenant_id, token, department_name, inserted_at)
       SELECT $1, 'days-' || gen_random_uuid(), 'Support', at`,
    `customers (tenant_id, name, inserted_at, updated_at) SELECT $1, 'Bia', at, at`,
    `appointments (tenant_id, user_id, title, starts_at, ends_at, status, inserted_at, updated_at)
       SELECT $1, $2, 'Review', at, at + interval '1 hour', 'cancelled', at, at`,
    `audit_log (tenant_id, action, subject_type, subject_id, details, inserted_at)
       SELECT $1, 'probe.moved', 'probe', $2, '{}', at`,
  ];
  for (const table of tables) {
    await test.db.query(
      `WITH given AS (SELECT $1::uuid, $2::uuid, $3::timestamptz[]) INSERT INTO ${table} FROM unnest($3::timestamptz[]) AS at`,
      [id, owner.id, TIMES],
    );
  }
  await test.db.query(
    `INSERT INTO webhook_deliveries (id, tenant_id, webhook_id, event, status, payload, inserted_at)
     SELECT gen_random_uuid(), $1, $2, 'call.rated', 'failed', '{}', at FROM unnest($3::timestamptz[]) AS at`,
    [id, webhook.id, TIMES],
  );
}

async function timesOf(path: string, field = 'inserted_at'): Promise<string[]> {
  const answer = await tenant.owner.api.get(`/api/v1/${path}`);
  expectStatus(answer, 200);
  const rows = path.includes('.csv') ? csvRows(answer) : answer.body.data;
  return rows.map((row: Record<string, string>) => row[field]).sort();
}

/** The rows that each list, export and report has for the filter. */
async function found(filter: string) {
  const { owner } = tenant;
  const overview = await owner.api.get(`/api/v1/analytics/overview?${filter}`);
  return {
    calls: await timesOf(`calls?${filter}`),
    export: await timesOf(`export/calls.csv?${filter}`),
    report: overview.body.data.total_calls,
    links: await timesOf(`access-links?${filter}`),
    linkExport: await timesOf(`export/links.csv?${filter}`),
    customers: await timesOf(`customers?${filter}`),
    customerExport: await timesOf(`export/customers.csv?${filter}`),
    appointments: await timesOf(`appointments?${filter}`, 'starts_at'),
    audit: await timesOf(`audit-log?action=probe.moved&${filter}`),
    deliveries: await timesOf(`webhooks/${webhook.id}/deliveries?${filter}`),
  };
}

/** The same rows everywhere. */
const everywhere = (times: string[]) => ({
  calls: times,
  export: times,
  report: times.length,
  links: times,
  linkExport: times,
  customers: times,
  customerExport: times,
  appointments: times,
  audit: times,
  deliveries: times,
});

const between = (first: string | undefined, last: string | undefined) =>
  TIMES.filter((time) => time >= `2026-03-${first}Z` && time <= `2026-03-${last}Z`);

describe('a date without a time', () => {
  it.each([
    ['America/Sao_Paulo', SAO_PAULO],
    ['Asia/Tokyo', TOKYO],
  ])('is the day of a company in %s, in every list, export and report', async (timezone, times) => {
    expectStatus(await tenant.owner.api.put('/api/v1/tenant', { timezone }), 200);
    const day = between(times[1], times[2]);
    expect(await found('date_from=2026-03-10&date_to=2026-03-10')).toEqual(everywhere(day));
  });

  it('names the file of an export after the day of the company', async () => {
    for (const timezone of ['Pacific/Kiritimati', 'Etc/GMT+12']) {
      expectStatus(await tenant.owner.api.put('/api/v1/tenant', { timezone }), 200);
      const { headers } = await tenant.owner.api.get('/api/v1/export/calls.csv?date_to=2020-01-01');
      const today = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(test.clock.now());
      expect(headers.get('content-disposition')).toContain(`calls-${today}.csv`);
    }
  });
});

it('takes a time without an offset as UTC, whatever the zone of the company', async () => {
  expectStatus(await tenant.owner.api.put('/api/v1/tenant', { timezone: 'Asia/Tokyo' }), 200);
  const filter = 'date_from=2026-03-10T03:00:00&date_to=2026-03-10T15:00';
  expect(await found(filter)).toEqual(everywhere(between('10T03:00:00.000', '10T15:00:00.000')));
});

it('takes the dates of a replay of deliveries as days of the company', async () => {
  expectStatus(await tenant.owner.api.put('/api/v1/tenant', { timezone: 'America/Sao_Paulo' }), 200);
  const range = { from: '2026-03-10', to: '2026-03-10' };
  const { body } = await tenant.owner.api.post(`/api/v1/webhooks/${webhook.id}/replay`, range);
  expect(body.data.count).toBe(between(SAO_PAULO[1], SAO_PAULO[2]).length);
});
