import type { Api, Json } from '../../support/http/api';
import { expectStatus, someId, TestTenant } from '../../support/builders';
import { expectFailure } from '../../support/database/failures';
import { expand } from '../../support/http/json-schema';
import { readDocument } from '../../support/http/openapi-file';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';

const ROWS = 130;
const LISTS = [
  'users',
  'departments',
  'access-links',
  'customers',
  'calls',
  'tags',
  'skills',
  'canned-replies',
  'appointments',
  'webhooks',
];

/** Only fields without an object can be sorted by. */
const CLOSED = {
  timezone: null,
  weekly: { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] },
  exceptions: [],
};

let test: TestApp;
let tenant: TestTenant;

/** Inserts enough rows for several pages. Most columns are equal, so only the id breaks ties. */
async function fill(tenantId: string): Promise<void> {
  const tables = [
    `users (tenant_id, name, email, role, active) SELECT $1, 'Same Name', 'u' || n || '@example.com',
       CASE WHEN n % 2 = 0 THEN 'attendant' ELSE 'supervisor' END, n % 10 <> 0`,
    `departments (tenant_id, name, identifier, active, opening_hours)
       SELECT $1, 'Same Name', 'd-' || n, n % 10 <> 0, '${JSON.stringify(CLOSED)}'`,
    `customers (tenant_id, name, email) SELECT $1, 'Same Name', 'same@example.com'`,
    `access_links (tenant_id, token, label, department_name, valid_from, expires_at)
       SELECT $1, 'list-token-' || n, 'Same Label', 'Same', '2026-01-01', '2026-01-02'`,
    `appointments (tenant_id, user_id, title, starts_at, ends_at, status, access_link_id, inserted_at, updated_at)
       SELECT $1, (SELECT id FROM users WHERE tenant_id = $1 LIMIT 1), 'Same', '2026-01-01', '2026-01-02', 'cancelled',
         (SELECT id FROM access_links WHERE token = 'list-token-1'), '2026-01-01', '2026-01-01'`,
    `webhooks (id, tenant_id, url, events, inserted_at, updated_at)
       SELECT gen_random_uuid(), $1, 'https://same.example.com', '{call.rated}', '2026-01-01', '2026-01-01'`,
    `tags (tenant_id, name) SELECT $1, 'Same Name ' || n`,
    `canned_replies (tenant_id, title, text) SELECT $1, 'Same title', 'Same text'`,
    `skills (tenant_id, name) SELECT $1, 'Same Name ' || n`,
    `calls (tenant_id, status, department_name, customer_name, estimated_wait_time, inserted_at, updated_at,
       ended_at) SELECT $1, 'missed', 'Same', 'Same', 0, '2026-01-01', '2026-01-01', '2026-01-01'`,
  ];
  for (const table of tables) {
    await test.db.query(`INSERT INTO ${table} FROM generate_series(1, ${ROWS}) AS n`, [tenantId]);
  }
}

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  await fill(tenant.id);
  const other = await TestTenant.register(test);
  await fillOther(other);
});

/** Inserts a row of another tenant, which no list may contain. */
async function fillOther(other: TestTenant): Promise<void> {
  await test.db.query(
    `INSERT INTO departments (tenant_id, name, identifier) VALUES ($1, 'Same Name', 'foreign')`,
    [other.id],
  );
}

afterAll(() => test.close());

const page = async (list: string, query = ''): Promise<Json> => {
  const answer = await tenant.owner.api.get(`/api/v1/${list}?${query}`);
  expectStatus(answer, 200);
  return answer.body;
};

describe.each(LISTS)('the list of %s', (list) => {
  // The owner is a user, too.
  const total = list === 'users' ? ROWS + 1 : ROWS;

  it('has 20 rows per page and returns pagination metadata', async () => {
    const { data, meta } = await page(list);
    expect(data).toHaveLength(20);
    expect(meta).toEqual({
      current_page: 1,
      page_size: 20,
      total_pages: Math.ceil(total / 20),
      total_count: total,
    });
  });

  it('limits page_size to 100 and returns the effective size', async () => {
    for (const size of ['101', '5000', '9007199254740991']) {
      const { data, meta } = await page(list, `page_size=${size}`);
      expect([data.length, meta.page_size, meta.total_pages]).toEqual([100, 100, 2]);
    }
  });

  it('is empty past the last page', async () => {
    for (const number of ['8', '999999', '9007199254740991']) {
      const { data, meta } = await page(list, `page=${number}&page_size=100`);
      expect(data).toEqual([]);
      expect(meta).toMatchObject({ current_page: Number(number), total_count: total });
    }
  });

  it.each(['asc', 'desc'])(
    'contains every row exactly once across pages, ties included, %s',
    async (order) => {
      for (const column of ['inserted_at', list === 'calls' ? 'status' : 'id']) {
        const seen: string[] = [];
        for (let number = 1; number <= Math.ceil(total / 30); number++) {
          const query = `page=${number}&page_size=30&sort_by=${column}&sort_order=${order}`;
          seen.push(...(await page(list, query)).data.map((row: Json) => row.id));
        }
        expect([seen.length, new Set(seen).size]).toEqual([total, total]);
      }
    },
  );

  it('sorts by every field that the OpenAPI document names', async () => {
    const { body } = await test.api.get('/docs-json');
    const { parameters } = body.paths[`/api/v1/${list}`].get;
    const { schema } = parameters
      .map((parameter: Json) => expand(body, parameter))
      .find((parameter: Json) => parameter.name === 'sort_by');
    const columns = expand(body, schema).enum;
    const [row] = (await page(list)).data;
    const scalars = Object.keys(row).filter(
      (key) =>
        !['callback', 'estimated_wait_range', 'device_report', 'avatar_url'].includes(key) &&
        (row[key] === null || typeof row[key] !== 'object'),
    );
    expect([...columns].sort()).toEqual(scalars.sort());
    for (const column of columns) {
      const sorted = async (order: string): Promise<Json[]> => {
        const query = `sort_by=${column}&sort_order=${order}&page_size=100`;
        return [...(await page(list, query)).data, ...(await page(list, `${query}&page=2`)).data];
      };
      const [ascending, descending] = [await sorted('asc'), await sorted('desc')];
      // Null is last in both directions.
      const known = ascending.filter((item) => item[column] !== null).toReversed();
      const missing = ascending.filter((item) => item[column] === null).toReversed();
      expect(descending.map(({ id }) => id)).toEqual([...known, ...missing].map(({ id }) => id));
    }
  });

  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=two',
    'page=',
    'page=99999999999999999',
    'page=1e400',
    'page=NaN',
    'page=1&page=2',
    'page_size=0',
    'page_size=-5',
    'page_size=all',
    'sort_by=password_hash',
    'sort_by=id;drop table users',
    'sort_by=constructor',
    'sort_by=__proto__',
    'sort_by=',
    'sort_order=sideways',
    'sort_order=',
    'search=%00',
    `search=${'x'.repeat(256)}`,
  ])('rejects ?%s with 400', async (query) => {
    expectFailure(await tenant.owner.api.get(`/api/v1/${list}?${query}`), 400, {
      code: 'bad_request',
      field: query.split('=')[0],
    });
  });

  it('ignores empty filters', async () => {
    const { body } = await test.api.get('/docs-json');
    const filters: string[] = body.paths[`/api/v1/${list}`].get.parameters
      .map((parameter: Json) => expand(body, parameter))
      .filter((parameter: Json) => parameter.in === 'query')
      .map((parameter: Json) => parameter.name)
      .filter((name: string) => !/^(page|sort)_|^page$/.test(name));
    expect(filters).toContain('search');
    const all = await page(list);
    for (const query of [
      ...filters.map((name) => `${name}=`),
      filters.map((name) => `${name}=+`).join('&'),
    ]) {
      expect(await page(list, query)).toEqual(all);
    }
  });

  it('ignores the case of sort_order', async () => {
    for (const [order, other] of [
      ['asc', 'ASC'],
      ['desc', 'Desc'],
    ]) {
      expect(await page(list, `sort_order=${other}`)).toEqual(await page(list, `sort_order=${order}`));
    }
  });

  it.each(['colour', '__proto__', 'toString', 'page[size]'])(
    'refuses the unknown parameter %s',
    async (name) => {
      const answer = await tenant.owner.api.get(`/api/v1/${list}?page=1&${encodeURIComponent(name)}=1`);
      expectFailure(answer, 400, { field: name });
      expect(answer.body.errors.detail).toContain(`Bad parameter: ${name} is unknown; the parameters are `);
    },
  );
});

const document = readDocument();

/** Whether an operation answers a list, an export or a report. */
const selects = ({ responses }: Json, path: string): boolean => {
  const { content } = expand(document, responses['200'] ?? {});
  return (
    content?.['text/csv'] !== undefined ||
    path.startsWith('/api/v1/analytics/') ||
    content?.['application/json']?.schema?.properties?.data?.type === 'array'
  );
};

describe('an unknown parameter', () => {
  const paths = Object.entries<Json>(document.paths)
    .filter(([path, { get }]) => get && selects(get, path))
    .map(([path]) => path);

  let owner: Api;
  let callId: string;

  beforeAll(async () => {
    const company = await TestTenant.register(test, 'enterprise');
    owner = company.owner.api;
    callId = (await company.join((await company.queue()).link)).call_id;
  });

  it.each(paths)('is refused by %s', async (path) => {
    const answer = await owner.get(`${path.replaceAll(/\{\w+\}/g, callId)}?colour=red`);
    expectFailure(answer, 400, { field: 'colour' });
    expect(answer.body.errors.detail).toMatch(
      /colour is unknown; (the parameters are \w|there are no parameters)/,
    );
  });

  it('is refused when it could mean another recording', async () => {
    const path = `/api/v1/calls/${callId}/recording?recording=${someId()}`;
    expectFailure(await owner.send('DELETE', path), 400, { field: 'recording' });
  });

  it('is ignored by public routes that select nothing', async () => {
    expectStatus(await test.api.get('/api/v1/call/turn-credentials?_=1'), 200);
    const play = await test.api.get('/api/v1/recordings/play?ticket=none&_=1');
    expectFailure(play, 401);
  });
});

const count = async (list: string, query: string) => (await page(list, query)).meta.total_count;

describe('filters', () => {
  it('select users by role, status, text and department', async () => {
    expect(await count('users', 'role=attendant')).toBe(65);
    expect(await count('users', 'role=owner')).toBe(1);
    expect(await count('users', 'active=false')).toBe(13);
    expect(await count('users', 'active=true&role=supervisor')).toBe(65);
    expect(await count('users', 'search=SAME+name')).toBe(130);
    expect(await count('users', 'search=u7%40')).toBe(1);
    expect(await count('users', 'search=_')).toBe(0);
    expect(await count('users', 'department_id=00000000-0000-4000-8000-000000000000')).toBe(0);
  });

  it('select departments by sector, status and text', async () => {
    const sector_id = '11111111-1111-4111-8111-111111111111';
    await test.db.query(`UPDATE departments SET sector_id = $1 WHERE tenant_id = $2 AND identifier = 'd-7'`, [
      sector_id,
      tenant.id,
    ]);
    expect(await count('departments', `sector_id=${sector_id}`)).toBe(1);
    expect(await count('departments', 'active=false')).toBe(13);
    expect(await count('departments', 'search=same')).toBe(130);
    expect(await count('departments', 'search=other')).toBe(0);
  });

  it.each([
    ['users', 'role=admin'],
    ['users', 'active=maybe'],
    ['users', 'department_id=7'],
    ['departments', 'sector_id=north'],
    ['departments', 'active=1'],
    ['access-links', 'status=open'],
    ['access-links', 'department_id=x'],
    ['access-links', 'customer_id=x'],
    ['calls', 'status=ringing'],
    ['calls', 'date_from=yesterday'],
    ['calls', 'date_to=2026-02-30'],
  ])('of %s reject ?%s with 400', async (list, query) => {
    const field = query.split('=')[0];
    expectFailure(await tenant.owner.api.get(`/api/v1/${list}?${query}`), 400, { field });
  });
});
