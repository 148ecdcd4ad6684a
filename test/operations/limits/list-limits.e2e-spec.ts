import { Client } from 'pg';
import { beginLargeRead } from '../../support/contexts/large-reads';
import { LargeReads } from '../../../src/platform/database/connections/large-reads';
import { Filter } from '../../../src/platform/database/filter';
import { ListQuery } from '../../../src/platform/database/list-query';
import { TestTenant } from '../../support/builders';
import { startTestApp, type TestApp } from '../../support/test-app';
import { waitForLockWaiters } from '../../support/database/lock-waiters';
import { until } from '../../support/until';

/** In a pool of five connections, searches and deep pages may use one. */
const SMALL_POOL_ENV = { DATABASE_POOL_SIZE: '5' };
/** More requests than connections. */
const REQUESTS = 7;
const ROWS = 1200;
/** Longer than a total count is cached. */
const COUNT_TTL_SECONDS = 6;

let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  test = await startTestApp({ env: SMALL_POOL_ENV });
  tenant = await TestTenant.register(test);
  await test.db.query(
    `INSERT INTO tags (tenant_id, name) SELECT $1, 'Tag ' || n FROM generate_series(1, ${ROWS}) AS n`,
    [tenant.id],
  );
});

afterAll(() => test.close());

/** Holds a lock for which every reader of the table waits. @returns a function that releases it */
async function lockTable(table: string): Promise<() => Promise<void>> {
  const holder = new Client({ connectionString: test.databaseUrl });
  await holder.connect();
  await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return () => holder.end();
}

describe('many slow pages at once', () => {
  it.each([
    ['searches', 'customer_words', '/api/v1/customers?search=ana'],
    ['deep pages', 'tags', '/api/v1/tags?page=12&page_size=100'],
  ])('as %s leave connections to other requests', async (_, table, path) => {
    const unlock = await lockTable(table);
    const slow = Array.from({ length: REQUESTS }, () => tenant.owner.api.get(path));
    try {
      await waitForLockWaiters(test);
      const others = Array.from({ length: REQUESTS }, () => tenant.owner.api.get('/api/v1/departments'));
      for (const { status } of await Promise.all(others)) expect(status).toBe(200);
    } finally {
      await unlock();
    }
    for (const { status } of await Promise.all(slow)) expect(status).toBe(200);
  });
});

/** A search that takes 200 ms. */
const slowSearch = (tenantId: string) =>
  test.get(ListQuery).page(
    tenantId,
    {
      select: 't.id',
      from: '(SELECT id, id AS tenant_id FROM tenants, pg_sleep(0.2)) t',
      filter: new Filter().andSearch('t.tenant_id = ?', tenantId),
      sortable: { id: 't.id' },
      id: 't.id',
    },
    { page: 1, page_size: 1, sort_by: 'id', sort_order: 'asc' },
  );

const holdPlace = () => beginLargeRead(test, tenant.id);
const readers = () => test.get(LargeReads).usersOf(tenant.id);

describe('while a slow read of the company is in progress', () => {
  it.each([
    ['a page of a long list in an order without an index', '/api/v1/tags?sort_by=color'],
    ['duplicates', '/api/v1/customers/duplicates'],
    ['the total count of a long list', '/api/v1/tags?sort_by=name'],
  ])('%s waits', async (_, path) => {
    test.clock.advance(COUNT_TTL_SECONDS);
    const release = await holdPlace();
    let isAnswered = false;
    const answer = tenant.owner.api.get(path).finally(() => (isAnswered = true));
    try {
      await until(() => readers() === 2);
      expect(isAnswered).toBe(false);
    } finally {
      release();
    }
    expect((await answer).status).toBe(200);
  });

  it.each([
    ['a short list in an order without an index', '/api/v1/departments?sort_by=description'],
    ['a page of a long list whose total count is known', '/api/v1/tags?sort_by=name&page=2'],
  ])('%s does not wait', async (_, path) => {
    await tenant.owner.api.get('/api/v1/tags');
    const release = await holdPlace();
    try {
      expect((await tenant.owner.api.get(path)).status).toBe(200);
    } finally {
      release();
    }
  });
});

describe('the total count of a long list', () => {
  beforeEach(() => test.clock.advance(COUNT_TTL_SECONDS));

  it('of a search is found in the same turn', async () => {
    const request = { page: 1, page_size: 1, sort_by: 'name', sort_order: 'asc' } as const;
    const search = (sql: string) => ({
      ...source('%'),
      select: 't.id',
      filter: new Filter().and('t.tenant_id = ?', tenant.id).andSearch(sql, '%'),
    });
    const query = test.get(ListQuery);
    const [first, second] = await Promise.all([
      query.page(tenant.id, search('t.name LIKE ?'), request),
      query.page(tenant.id, search('t.name LIKE ?'), request),
    ]);
    for (const { data, meta } of [first, second]) {
      expect(data).toHaveLength(1);
      expect(meta.total_count).toBe(ROWS);
    }
  });
});

describe("another tenant's search", () => {
  it('waits for one search of a tenant, however many that tenant has sent', async () => {
    const other = await TestTenant.register(test);
    let ended = 0;
    const flood = Array.from({ length: 12 }, () => slowSearch(tenant.id).finally(() => ended++));
    expect((await slowSearch(other.id)).data).toHaveLength(1);
    expect(ended).toBeLessThanOrEqual(2);
    await Promise.all(flood);
  });
});

/** A list whose rows cannot be read: planning its page fails. */
const source = (name: string) => ({
  select: '1 / 0 AS id',
  from: 'tags t',
  filter: new Filter().and('t.tenant_id = ?', tenant.id).andIf('t.name LIKE ?', name),
  sortable: { name: 't.name' },
  id: 't.id',
});

const search = () => ({
  ...source('%'),
  filter: new Filter().and('t.tenant_id = ?', tenant.id).andSearch('t.name ILIKE ?', 'tag%'),
});

describe('a page after the last one', () => {
  it.each([
    ['a short list', () => source('Tag 1__'), 100],
    ['a long list', () => source('%'), ROWS],
    ['a search', search, ROWS],
  ])('of %s is empty and is not read', async (_, list, total_count) => {
    test.clock.advance(COUNT_TTL_SECONDS);
    const page = (number: number) =>
      test.get(ListQuery).page(tenant.id, list(), {
        page: number,
        page_size: 100,
        sort_by: 'name',
        sort_order: 'asc',
      });
    const last = Math.ceil(total_count / 100);
    await expect(page(last)).rejects.toThrow('division by zero');
    for (const number of [last + 1, Number.MAX_SAFE_INTEGER]) {
      expect(await page(number)).toMatchObject({ data: [], meta: { current_page: number, total_count } });
    }
  });
});
