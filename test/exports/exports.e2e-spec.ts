import { dayOf } from '../../src/platform/clock/time-zone';
import type { Json } from '../support/http/api';
import { auditedBy } from '../support/contexts/audit-rows';
import { expectStatus, TestTenant } from '../support/builders';
import { csvRows, parseCsv } from '../support/contexts/csv';
import { expectFailure } from '../support/database/failures';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const ROWS = 130;
/** The list route with the same rows as each export. */
const LIST_ROUTES = { calls: 'calls', customers: 'customers', links: 'access-links' } as const;

type Kind = keyof typeof LIST_ROUTES;
const KINDS = Object.keys(LIST_ROUTES) as Kind[];

let test: TestApp;
let tenant: TestTenant;
let other: TestTenant;
let department: Json;

/** Inserts rows that differ in every filter and sort column, with fractional seconds and text that needs quotes. */
async function insertRows({ id, owner }: TestTenant, departmentId: string): Promise<void> {
  const at = `timestamptz '2026-01-01 00:00:00Z' + n * interval '3 hours 0.25 seconds'`;
  const tables = [
    `customers (tenant_id, name, email, phone, document, notes, metadata, inserted_at, updated_at)
     SELECT $1, 'Vera "V" Cruz, ' || n, CASE WHEN n % 3 > 0 THEN 'vera' || n % 7 || '@example.com' END,
       '+55 11 9' || n, 'D' || n, E'One\\nTwo\\r\\nThree', jsonb_build_object('crm', n, 'text', '"=1",'), ${at}, ${at}`,
    `access_links (tenant_id, token, label, department_id, department_name, max_uses, use_count, priority, expires_at,
       cancelled_at, inserted_at)
     SELECT $1, $3 || n, 'Label ' || n % 9, CASE WHEN n % 2 = 0 THEN $2::uuid ELSE
         (SELECT id FROM departments WHERE tenant_id = $1 AND id <> $2) END, 'Gone', CASE WHEN n % 4 = 0 THEN 2 END,
       n % 3, n % 10, CASE WHEN n % 5 = 0 THEN ${at} END, CASE WHEN n % 6 = 0 THEN now() END, ${at}`,
    `calls (tenant_id, status, department_id, department_name, customer_name, customer_email, customer_phone, user_id,
       user_name, estimated_wait_time, estimated_wait_low, estimated_wait_high, callback_status, overflow_department_id,
       overflowed_at, wait_time, duration, rating, rating_comment, reason, notes, end_reason, has_recording,
       inserted_at, started_at, completed_at, ended_at, updated_at)
     SELECT $1, CASE WHEN n % 3 = 0 THEN 'missed' ELSE 'completed' END, CASE WHEN n % 2 = 0 THEN $2::uuid END, 'Support, "first"',
       'João ' || n % 10, 'joao' || n || '@example.com', '+55 11 9' || n, $4, 'Ana', 60, CASE WHEN n % 4 > 0 THEN 30 END,
       CASE WHEN n % 4 > 0 THEN 30 * n END, CASE n % 5 WHEN 1 THEN 'returned' WHEN 2 THEN 'expired' END,
       CASE WHEN n % 7 = 0 THEN $2::uuid END, CASE WHEN n % 7 < 2 THEN ${at} END, n, n * 2, 1 + n % 5, 'Quick' || E'\\n' || n,
       'Card; blocked', CASE WHEN n % 2 = 0 THEN 'New card' ELSE '' END, 'normal', n % 5 = 0, ${at}, ${at}, ${at}, ${at}, ${at}`,
  ];
  const values = [id, departmentId, `token-${id.slice(0, 8)}-`, owner.id];
  for (const table of tables) {
    const typed = `WITH given AS (SELECT $1::uuid, $2::uuid, $3::text, $4::uuid) INSERT INTO ${table}`;
    await test.db.query(`${typed} FROM generate_series(1, ${ROWS}) AS n`, values);
  }
  await test.db.query(
    `WITH skill AS (INSERT INTO skills (tenant_id, name) VALUES ($1, 'English') RETURNING id)
     INSERT INTO access_link_skills (tenant_id, access_link_id, skill_id, min_level)
     SELECT $1, l.id, skill.id, l.use_count FROM access_links l, skill WHERE l.tenant_id = $1 AND l.use_count > 0`,
    [id],
  );
}

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  department = await tenant.department({ name: '@Support' });
  await tenant.department({ name: 'Elsewhere' });
  await insertRows(tenant, department.id);
  other = await TestTenant.register(test);
  await insertRows(other, (await other.department()).id);
});

afterAll(() => test.close());

const exportCsv = (kind: Kind, query = '') => tenant.owner.api.get(`/api/v1/export/${kind}.csv?${query}`);

/** The rows of all pages of the list. */
async function listAll(kind: Kind, query: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let page = 1; ; page++) {
    const answer = await tenant.owner.api.get(
      `/api/v1/${LIST_ROUTES[kind]}?page=${page}&page_size=100${query && `&${query}`}`,
    );
    expectStatus(answer, 200);
    rows.push(...answer.body.data);
    if (page >= answer.body.meta.total_pages) return rows;
  }
}

/** The CSV cell of a value in a JSON response. */
function cellOf(value: unknown): string {
  if (value === null) return '';
  if (typeof value === 'string') return /^[=\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return JSON.stringify(value);
}

/** The cells expected of a list item, and the cells of the export row in the same columns. */
function compareCells(item: Json, row: Record<string, string> = {}) {
  // Objects: the first two have a column for each part, which is compared below, the report of the device has none.
  const objects = ['callback', 'estimated_wait_range', 'device_report'];
  const names = Object.keys(item).filter((name) => !objects.includes(name));
  const expected = Object.fromEntries(names.map((name) => [name, cellOf(item[name])]));
  if ('callback' in item) {
    const { callback, estimated_wait_range: range } = item;
    expected.callback_status = cellOf(callback?.status ?? null);
    expected.callback_invited_until = cellOf(callback?.invited_until ?? null);
    expected.estimated_wait_low = cellOf(range?.low ?? null);
    expected.estimated_wait_high = cellOf(range?.high ?? null);
  }
  const found = Object.fromEntries(Object.keys(expected).map((name) => [name, row[name]]));
  // PostgreSQL writes JSON with spaces.
  for (const name of ['metadata', 'skills']) {
    if (found[name]) found[name] = JSON.stringify(JSON.parse(found[name]));
  }
  return { expected, found };
}

describe('an export', () => {
  it.each<[Kind, string, number]>([
    ['calls', '', ROWS],
    ['calls', 'status=missed&sort_by=customer_name&sort_order=asc', 43],
    ['calls', 'date_from=2026-01-05&date_to=2026-01-08', 32],
    ['calls', 'date_from=2020-01-01&date_to=9999-12-31', ROWS],
    ['calls', 'search=JO%C3%83O+7&sort_by=wait_time', 13],
    ['calls', 'search=%25', 0],
    ['customers', '', ROWS],
    ['customers', 'email=VERA2@example.com&sort_by=inserted_at&sort_order=desc', 13],
    ['customers', 'search=cruz+9117', 1],
    ['customers', 'date_to=2026-01-02T06:00:00Z', 9],
    ['links', '', ROWS],
    ['links', 'status=expired&sort_by=expires_at', 20],
    ['links', 'date_from=2026-01-05&date_to=2026-01-08', 32],
    ['links', 'search=label+3&sort_by=department_name&sort_order=asc', 15],
  ])(
    'of %s?%s has the rows of the list, in the same order and with the same values',
    async (kind, query, count) => {
      const [items, rows] = [await listAll(kind, query), csvRows(await exportCsv(kind, query))];
      expect(rows).toHaveLength(count);
      expect(items).toHaveLength(count);
      for (const [index, item] of items.entries()) {
        const { expected, found } = compareCells(item, rows[index]);
        expect(found).toEqual(expected);
      }
    },
  );

  it('of a department has only its rows', async () => {
    for (const kind of ['calls', 'links'] as const) {
      const query = `department_id=${department.id}`;
      const [items, rows] = [await listAll(kind, query), csvRows(await exportCsv(kind, query))];
      expect(rows).toHaveLength(ROWS / 2);
      expect(rows.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
    }
  });

  it('of calls has additional columns with the values of the call resource', async () => {
    const [first, second] = csvRows(await exportCsv('calls', 'sort_by=wait_time&sort_order=asc'));
    for (const name of ['vip', '=urgent', 'a "b"; c']) {
      const tag = await tenant.owner.api.post('/api/v1/tags', { name });
      await tenant.owner.api.post(`/api/v1/calls/${first?.id}/tags`, { tag_id: tag.body.data.id });
    }
    const [row] = csvRows(await exportCsv('calls', 'sort_by=wait_time&sort_order=asc'));
    const { body } = await tenant.owner.api.get(`/api/v1/calls/${first?.id}`);
    const { end_reason, reason, rating_comment, tags } = body.data;
    expect(row).toMatchObject({ end_reason, reason, rating_comment });
    expect(row?.tags?.replace(/^'/, '').split('; ').sort()).toEqual(
      tags.flatMap(({ name }: Json) => name.split('; ')).sort(),
    );
    expect(row?.tags).toMatch(/^'=urgent; /);
    expect(row).toMatchObject({ estimated_wait_time: '60', ended_at: row?.completed_at, customer_id: '' });
    expect(second).toMatchObject({ tags: '', ended_at: '2026-01-01T06:00:00.500Z' });
  });

  it('without rows has only a header', async () => {
    const emptyTenant = await TestTenant.register(test);
    const answer = await emptyTenant.owner.api.get('/api/v1/export/customers.csv');
    expect(answer.body).toBe(
      'id,name,email,phone,document,notes,metadata,call_count,last_call_at,inserted_at,updated_at\r\n',
    );
  });

  it.each(KINDS)('of %s has no row of another tenant', async (kind) => {
    const ownRows = csvRows(await exportCsv(kind));
    const otherRows = csvRows(await other.owner.api.get(`/api/v1/export/${kind}.csv`));
    expect([ownRows.length, otherRows.length]).toEqual([ROWS, ROWS]);
    expect(new Set([...ownRows, ...otherRows].map(({ id }) => id)).size).toBe(2 * ROWS);
  });

  it.each(KINDS)('of %s is an attachment that must not be cached', async (kind) => {
    const { headers } = await exportCsv(kind);
    const day = dayOf(test.clock.now(), 'America/Sao_Paulo');
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename=${kind}-${day}.csv`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  it('is recorded in the audit log without the search terms', async () => {
    const answer = await exportCsv('customers', 'search=Cruz&email=&sort_by=name&date_from=2026-01-01');
    expect(await auditedBy(test, answer)).toMatchObject([
      {
        action: 'tenant.data_exported',
        subject_id: tenant.id,
        user_id: tenant.owner.id,
        details: { kind: 'customers', filters: ['search', 'date_from'] },
      },
    ]);
  });

  it('is not generated for a HEAD request', async () => {
    const answer = await tenant.owner.api.send('HEAD', '/api/v1/export/calls.csv');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
    ]);
    expect(await auditedBy(test, answer)).toEqual([]);
  });

  it.each<[Kind, string]>([
    ['calls', 'status=ringing'],
    ['calls', 'date_from=yesterday'],
    ['calls', 'sort_by=password_hash'],
    ['calls', 'search=%00'],
    ['customers', 'date_to=2026-02-30'],
    ['customers', `search=${'x'.repeat(256)}`],
    ['links', 'department_id=7'],
    ['links', 'sort_order=sideways'],
  ])('of %s rejects ?%s with 400', async (kind, query) => {
    expectFailure(await exportCsv(kind, query), 400, { code: 'bad_request', field: query.split('=')[0] });
  });

  it.each(KINDS)('of %s refuses parameters that it does not have, pages among them', async (kind) => {
    for (const name of ['page', 'page_size', 'datefrom'])
      expectFailure(await exportCsv(kind, `${name}=2026-01-01`), 400, { code: 'bad_request', field: name });
  });

  it.each(KINDS)('of %s requires the supervisor role or a higher one', async (kind) => {
    const [attendant, supervisor] = [await tenant.member('attendant'), await tenant.member('supervisor')];
    expectFailure(await attendant.api.get(`/api/v1/export/${kind}.csv`), 403, { code: 'forbidden' });
    expect(csvRows(await supervisor.api.get(`/api/v1/export/${kind}.csv`))).toHaveLength(ROWS);
  });
});

describe('a CSV cell', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1+cmd|x', "'+1+cmd|x"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    ['\nx', "'\nx"],
    ['\r\n', "'\r\n"],
    ['="a","b"', `'="a","b"`],
    ["'=1", "'=1"],
    ["'", "'"],
    ['', ''],
    [' =1', "' =1"],
    ['  \u{200B} \t+1', "'  \u{200B} \t+1"],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    [' ＠SUM(A1)', "' ＠SUM(A1)"],
    ['x;=1', "x;'=1"],
    [';=1', ";'=1"],
    ['=1; =2;\t-3;＋4;@5;=6', "'=1;' =2;'\t-3;'＋4;'@5;'=6"],
    ['x;"=1+1', `x;'"=1+1`],
    ['x; ""+1', `x;' ""+1`],
    ['a\n=1', "a\n'=1"],
    ['a\r\n=1', "a\r\n'=1"],
    ['a\r"@x', `a\r'"@x`],
    ['a\n\n-1\n b', "a\n\n'-1\n b"],
    ['\n=1', "'\n'=1"],
    ['x;"y', 'x;"y'],
    ['a;b', 'a;b'],
    ['a;\nb', 'a;\nb'],
    ['a;b=1', 'a;b=1'],
    [' x', ' x'],
    ['1=1', '1=1'],
    ['a\nb', 'a\nb'],
    ['a\r\nb\r\n', 'a\r\nb\r\n'],
    ['"', '"'],
    ['""', '""'],
    [',', ','],
    ['a, "b"', 'a, "b"'],
    [String.raw`\.`, String.raw`\.`],
    [String.raw`\N`, String.raw`\N`],
    ['NULL', 'NULL'],
    ['João Ωmega 日本語 😀', 'João Ωmega 日本語 😀'],
    ['\u{FEFF}x', '\u{FEFF}x'],
    ['\u{200B}=1', "'\u{200B}=1"],
    ['\u{FEFF}\u{2060}-1', "'\u{FEFF}\u{2060}-1"],
    ['\u{AD}+1', "'\u{AD}+1"],
    ['\u{202E}@x', "'\u{202E}@x"],
    ['\u{A0}=1', "'\u{A0}=1"],
    ['\u{1}=1', "'\u{1}=1"],
    ['\u{E0020}=1', "'\u{E0020}=1"],
    ['\u{200B}\tx', "'\u{200B}\tx"],
    ['\u{200B}x=1', '\u{200B}x=1'],
  ])('for the text %j is %j', async (text, cell) => {
    const { rows } = await test.db.query(
      `INSERT INTO customers (tenant_id, name, notes, phone, email, document, inserted_at)
       VALUES ($1, $2, $2, $2, $2, $2, '2020-01-01') RETURNING id`,
      [tenant.id, text],
    );
    const [row] = csvRows(await exportCsv('customers', 'date_to=2020-01-02'));
    await test.db.query('DELETE FROM customers WHERE id = $1', [rows[0].id]);
    expect(row).toMatchObject({ name: cell, notes: cell, phone: cell, email: cell, document: cell });
  });

  it.each([
    ['+5511999998888', '+5511999998888'],
    ['+55 (11) 99999-8888', '+55 (11) 99999-8888'],
    ['(11) 99999-8888', '(11) 99999-8888'],
    ['11 99999.8888', '11 99999.8888'],
    ['-2', "'-2"],
    ['=1+1', "'=1+1"],
    ['+55 11 98765-4321', '+55 11 98765-4321'],
    ['+1-1', "'+1-1"],
    ['+1 -1', "'+1 -1"],
    ['+55-11-98765-4321', "'+55-11-98765-4321"],
    ['+1+1', "'+1+1"],
    ['+5511;=1+1', "'+5511;'=1+1"],
    ['+A1', "'+A1"],
    ['＋5511', "'＋5511"],
  ])('for the phone %j is %j', async (phone, cell) => {
    await test.db.query(
      `INSERT INTO customers (tenant_id, name, phone, inserted_at) VALUES ($1, $2, $2, '2020-01-01')`,
      [tenant.id, phone],
    );
    await test.db.query(
      `INSERT INTO calls (tenant_id, status, department_name, customer_name, customer_phone, estimated_wait_time, inserted_at,
         ended_at, updated_at)
       VALUES ($1, 'missed', 'D', 'Ana', $2, 0, '2020-01-01', '2020-01-01', '2020-01-01')`,
      [tenant.id, phone],
    );
    const [customer] = csvRows(await exportCsv('customers', 'date_to=2020-01-02'));
    const [call] = csvRows(await exportCsv('calls', 'date_to=2020-01-02'));
    await test.db.query(`DELETE FROM customers WHERE tenant_id = $1 AND inserted_at < '2020-01-02'`, [
      tenant.id,
    ]);
    await test.db.query(`DELETE FROM calls WHERE tenant_id = $1 AND inserted_at < '2020-01-02'`, [tenant.id]);
    expect([customer?.phone, call?.customer_phone]).toEqual([cell, cell]);
    // As another text it is a formula.
    if (phone.startsWith('+')) expect(customer?.name).toBe(`'${phone.replace(';=', ";'=")}`);
  });

  it.each([
    ['comma', 'Ana,=1+1;=2', "Ana,=1+1;'=2"],
    ['semicolon', 'Ana,=1+1;=2', "Ana,'=1+1;'=2"],
    ['semicolon', 'Ana, @SUM(A1)', "Ana,' @SUM(A1)"],
  ])('of a file with %s as separator is defused behind the other one: %j', async (separator, text, cell) => {
    const { rows } = await test.db.query<{ id: string }>(
      `INSERT INTO customers (tenant_id, name, inserted_at) VALUES ($1, $2, '2020-01-01') RETURNING id`,
      [tenant.id, text],
    );
    const answer = await exportCsv('customers', `date_to=2020-01-02&separator=${separator}`);
    await test.db.query('DELETE FROM customers WHERE id = $1', [rows[0]?.id]);
    expect(String(answer.body).replaceAll('"', '')).toContain(cell);
  });

  it('of metadata stays JSON, and cannot start a formula either', async () => {
    await test.db.query(
      `INSERT INTO customers (tenant_id, name, metadata, inserted_at) VALUES ($1, 'Ana', $2, '2020-01-01')`,
      [tenant.id, { note: 'a;=cmd()', text: 'x;"=1\n-1', phone: '+55' }],
    );
    const [row] = csvRows(await exportCsv('customers', 'date_to=2020-01-02'));
    await test.db.query(`DELETE FROM customers WHERE tenant_id = $1 AND inserted_at < '2020-01-02'`, [
      tenant.id,
    ]);
    expect(JSON.parse(row?.metadata ?? '')).toEqual({ note: "a;'=cmd()", text: 'x;"=1\n-1', phone: '+55' });
  });

  it('cannot start a formula in any text column that users or customers write', async () => {
    const formula = '=cmd()';
    const { rows } = await test.db.query(
      `INSERT INTO calls (tenant_id, status, department_name, customer_name, customer_email, customer_phone, user_name,
         estimated_wait_time, rating_comment, reason, notes, inserted_at, ended_at, updated_at)
       VALUES ($1, 'missed', $2, $2, $2, $2, $2, 0, $2, $2, $2, '2020-01-01', '2020-01-01', '2020-01-01') RETURNING id`,
      [tenant.id, formula],
    );
    await test.db.query(
      `WITH tag AS (INSERT INTO tags (tenant_id, name) VALUES ($1, $2) RETURNING id)
       INSERT INTO call_tags (tenant_id, call_id, tag_id) SELECT $1, $3, id FROM tag`,
      [tenant.id, formula, rows[0].id],
    );
    await test.db.query(
      `INSERT INTO access_links (tenant_id, token, label, department_name, inserted_at)
       VALUES ($1, '-begins-with-a-minus', $2, $2, '2020-01-01')`,
      [tenant.id, formula],
    );
    const [call] = csvRows(await exportCsv('calls', 'date_to=2020-01-02'));
    const link = csvRows(await exportCsv('links')).at(-1);
    const written = [...Object.values(call ?? {}), ...Object.values(link ?? {})];
    expect(written.filter((cell) => /^[=+\-@]/.test(cell))).toEqual([]);
    expect(written.filter((cell) => cell === `'${formula}`)).toHaveLength(11);
    expect(link).toMatchObject({
      token: "'-begins-with-a-minus",
      url: 'http://localhost:3000/c/-begins-with-a-minus',
    });
  });
});

/** As bytes: a text that is decoded loses its byte order mark. */
async function bytesOf(kind: Kind, query: string): Promise<Buffer> {
  const response = await fetch(`${test.url}/api/v1/export/${kind}.csv?${query}`, {
    headers: { authorization: `Bearer ${tenant.owner.token}` },
  });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

describe('the format of an export', () => {
  it.each(KINDS)('of %s has commas and no byte order mark, unless others are wanted', async (kind) => {
    const plain = await bytesOf(kind, '');
    expect(plain[0]).not.toBe(0xef);
    const records = parseCsv(plain.toString());
    expect(await bytesOf(kind, 'separator=comma&bom=false')).toEqual(plain);
    const excel = await bytesOf(kind, 'separator=semicolon&bom=true');
    expect([...excel.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(parseCsv(excel.subarray(3).toString(), ';')).toEqual(records);
    expect(excel.indexOf('\ufeff', 3)).toBe(-1);
  });

  it('is the same without rows', async () => {
    const header = await bytesOf('customers', 'search=nobody-at-all&separator=semicolon&bom=true');
    expect(header.toString()).toMatch(/^\ufeffid;name;email;phone;[a-z_;]+\r\n$/);
  });

  it.each([
    ['separator', 'tab'],
    ['separator', '%3B'],
    ['bom', '1'],
  ])('is refused with 400: %s=%s', async (name, value) => {
    expectFailure(await exportCsv('calls', `${name}=${value}`), 400, { code: 'bad_request', field: name });
  });

  it('is no filter in the audit log', async () => {
    const supervisor = await tenant.member('supervisor');
    const answer = await supervisor.api.get(
      '/api/v1/export/links.csv?separator=semicolon&bom=true&status=used',
    );
    expect((await auditedBy(test, answer))[0]?.details).toEqual({ kind: 'links', filters: ['status'] });
  });
});
