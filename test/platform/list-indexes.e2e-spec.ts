import { Client } from 'pg';
import { ListQuery } from '../../src/platform/database/list-query';
import { type ListSource, pageStatement } from '../../src/platform/database/list-statements';
import type { PageRequest } from '../../src/platform/database/page';
import { expectStatus, TestTenant } from '../support/builders';
import { createWebhook } from '../support/contexts/webhooks';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

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
