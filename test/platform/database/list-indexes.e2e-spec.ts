import { Client } from 'pg';
import { callListSource } from '../../../src/calls/staff/call-list';
import { ListQuery } from '../../../src/platform/database/list-query';
import { type ListSource, pageStatement } from '../../../src/platform/database/list-statements';
import { preparedPage } from '../../../src/platform/database/prepared-page';
import type { PageRequest } from '../../../src/platform/database/page';
import type { Statement } from '../../../src/platform/database/statement';
import { expectStatus, TestTenant } from '../../support/builders';
import type { Json } from '../../support/http/api';
import { createWebhook } from '../../support/contexts/webhooks';
import { oneTo } from '../../support/database/rows';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let client: Client;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  client = new Client({ connectionString: test.databaseUrl });
  await client.connect();
  // The tables are small: without these settings sorting would be faster than an index.
  await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off');
});

afterAll(async () => {
  await client.end();
  await test.close();
});

/** Requests a list. @returns what ListQuery was called with */
async function requestList(path: string): Promise<[ListSource, PageRequest]> {
  const page = jest.spyOn(test.get(ListQuery), 'page');
  try {
    expectStatus(await tenant.owner.api.get(path), 200);
    const [, source, request] = page.mock.lastCall ?? [];
    if (!source || !request) throw new Error(`${path} is not read by ListQuery`);
    return [source, request];
  } finally {
    page.mockRestore();
  }
}

interface PlanNode {
  'Node Type': string;
  Plans?: PlanNode[];
}

/** The types of the nodes from LIMIT down to the scan that determines the order. */
async function nodesOf(source: ListSource, request: PageRequest): Promise<string[]> {
  const { text, values } = pageStatement(source, request);
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (FORMAT JSON) ${text}`,
    values,
  );
  const nodes: string[] = [];
  let node: PlanNode | undefined = rows[0]?.['QUERY PLAN'][0].Plan;
  for (; node; node = node.Plans?.[0]) nodes.push(node['Node Type']);
  return nodes;
}

async function createCallAndWebhook() {
  const { link } = await tenant.queue();
  const { call_id } = await tenant.join(link);
  const webhook = await createWebhook(tenant);
  return { call_id: String(call_id), webhook_id: String(webhook.id) };
}

describe('the orders that a list declares as indexed', () => {
  let ids: { call_id: string; webhook_id: string };

  beforeAll(async () => {
    ids = await createCallAndWebhook();
  });

  it.each([
    ['calls', ['inserted_at']],
    ['customers', ['name', 'inserted_at']],
    ['departments', ['name']],
    ['tags', ['name']],
    ['skills', ['name']],
    ['canned-replies', ['title']],
    ['access-links', ['inserted_at']],
    ['appointments', ['starts_at']],
    ['audit-log', ['inserted_at']],
    ['webhooks', ['inserted_at']],
    ['webhooks/:webhook_id/deliveries', ['inserted_at']],
    ['calls/:call_id/files', ['inserted_at']],
  ])('of %s are %j, and PostgreSQL reads them from an index', async (list, sorts) => {
    const path = list.replace(':call_id', ids.call_id).replace(':webhook_id', ids.webhook_id);
    for (const sort_by of sorts) {
      for (const sort_order of ['asc', 'desc']) {
        const query = new URLSearchParams({ sort_by, sort_order });
        const [source, request] = await requestList(`/api/v1/${path}?${query.toString()}`);
        expect(source.indexedSorts).toEqual(sorts);
        const nodes = await nodesOf(source, request);
        expect(nodes[0]).toBe('Limit');
        expect(nodes).not.toContain('Sort');
      }
    }
  });

  it('do not include one that PostgreSQL has to sort', async () => {
    const [source, request] = await requestList('/api/v1/calls?sort_by=customer_name');
    expect(await nodesOf(source, request)).toContain('Sort');
  });
});

/** Enough calls for statistics, which exist only within the transaction. */
async function insertCalls(planner: Client): Promise<void> {
  const departments = [await tenant.department(), await tenant.department()].map(({ id }) => String(id));
  const agents = [tenant.owner.id, (await tenant.member()).id];
  await planner.query(
    `INSERT INTO calls (tenant_id, status, department_id, department_name, user_id, user_name, customer_name,
       estimated_wait_time, inserted_at, ended_at, updated_at)
     SELECT $1, (ARRAY['missed', 'cancelled', 'abandoned'])[1 + n % 3], ($2::uuid[])[1 + n / 3 % 2], 'Support',
       ($3::uuid[])[1 + n / 6 % 2], 'Agent', 'Customer', 60, at, at, at
     FROM (SELECT n, now() - make_interval(mins => n) AS at FROM generate_series(1, 1000) n) past`,
    [tenant.id, departments, agents],
  );
  await planner.query('ANALYZE calls');
}

/** The plan of the statement that is the same for all values, in a table with statistics. */
async function genericPlanOf({ text, values = [] }: Statement): Promise<string> {
  const planner = new Client({ connectionString: test.databaseUrl });
  await planner.connect();
  try {
    await planner.query('BEGIN');
    await insertCalls(planner);
    await planner.query('SET enable_sort = off; SET plan_cache_mode = force_generic_plan');
    await planner.query(`PREPARE page AS ${text}`);
    const given = values.map((value) =>
      planner.escapeLiteral(value instanceof Date ? value.toISOString() : String(value)),
    );
    const { rows } = await planner.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE page (${given.join()})`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await planner.end();
  }
}

async function listCalls(query: string): Promise<Json[]> {
  const answer = await tenant.owner.api.get(`/api/v1/calls?${query}`);
  expectStatus(answer, 200);
  return answer.body.data;
}

describe('the first page of a list of calls', () => {
  it.each([
    ['', 'calls_inserted_idx'],
    ['status=completed', 'calls_status_idx'],
    ['department_id=6b405660-7bb8-4dad-ab9a-3f8792acd6d5', 'calls_department_idx'],
    ['user_id=6b405660-7bb8-4dad-ab9a-3f8792acd6d5', 'calls_user_idx'],
    ['date_from=2026-01-01&date_to=2026-01-31', 'calls_inserted_idx'],
  ])(
    'with %j is prepared, with one plan for all values that reads %s in its order',
    async (filter, index) => {
      const [source, request] = await requestList(`/api/v1/calls?${filter}`);
      expect(source.isIndexed).toBe(true);
      const [, , page] = oneTo(3).map(() => preparedPage(source, request));
      expect(page?.name).toMatch(/^page\d+$/);
      const plan = await genericPlanOf(page ?? { text: '' });
      expect(plan).toMatch(new RegExp(`Index Scan.* using ${index} `));
      expect(plan).toContain('tenant_id = $1');
      expect(plan).not.toMatch(/Sort|Bitmap|Filter/);
    },
  );

  it.each(['search=ana', 'status=completed&user_id=6b405660-7bb8-4dad-ab9a-3f8792acd6d5'])(
    'is planned for its values with %s, because no index has its order',
    async (filter) => {
      const [source] = await requestList(`/api/v1/calls?${filter}`);
      expect(source.isIndexed).toBe(false);
    },
  );

  it('of a restricted attendant looks up the parts of transferred calls alone, not all parts of the agent', async () => {
    const { id: user_id } = await tenant.member();
    const user = {
      tenant_id: tenant.id,
      user_id,
      session_id: user_id,
      name: 'Ana',
      role: 'attendant',
      restricted: true,
    } as const;
    const [, request] = await requestList('/api/v1/calls');
    const { text, values } = pageStatement(callListSource(user, {}, {}), request);
    // Without rows, both indexes cost the same.
    await client.query(`BEGIN; SET LOCAL session_replication_role = replica;
      INSERT INTO call_parts (tenant_id, call_id, user_id, joined_at, started_at)
        SELECT '${tenant.id}', gen_random_uuid(), '${user_id}', now(), now() FROM generate_series(1, 2000);
      ANALYZE call_parts`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
    await client.query('ROLLBACK');
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('transferred_at IS NOT NULL');
    expect(plan).toContain('using call_parts_call_idx on call_parts');
    expect(plan).not.toMatch(/call_parts_user_idx|Sort/);
  });

  it('is the same prepared and not', async () => {
    const all = await listCalls('page_size=100');
    expect(all.length).toBeGreaterThan(0);
    for (const _ of oneTo(4)) {
      expect(await listCalls('page_size=100')).toEqual(all);
      expect(await listCalls('page_size=100&status=queued')).toEqual(all);
      expect(await listCalls('page_size=100&status=completed')).toEqual([]);
    }
  });
});
