import type { Answer, Json } from '../support/http/api';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { TestSocket } from '../support/sockets/socket';
import { expand } from '../support/http/json-schema';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const ROWS = 45;
const SUBJECT = someId();
const STRANGER = someId();

let test: TestApp;
let tenant: TestTenant;
let other: TestTenant;
let manager: Member;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  other = await TestTenant.register(test);
  manager = await tenant.member('manager');
  await fill(tenant.id, manager.id);
  await fill(other.id, other.owner.id);
});

afterAll(() => test.close());

/** One row an hour of January; every third by somebody who is not a user any more, every third by nobody. */
async function fill(tenantId: string, userId: string): Promise<void> {
  await test.db.query(
    `INSERT INTO audit_log (tenant_id, user_id, action, subject_type, subject_id, details, address, request_id,
       inserted_at)
     SELECT $1, CASE n % 3 WHEN 0 THEN $2::uuid WHEN 1 THEN $3::uuid END, 'probe.' || (ARRAY['made', 'moved'])[1 + n % 2],
       'probe', CASE WHEN n % 5 = 0 THEN $4::uuid ELSE gen_random_uuid() END, jsonb_build_object('n', n),
       '203.0.113.' || n % 4, 'request-' || n, '2026-01-01'::timestamptz + n * interval '1 hour'
     FROM generate_series(1, ${ROWS}) AS n`,
    [tenantId, userId, STRANGER, SUBJECT],
  );
}

const ask = (query: string, { api } = manager): Promise<Answer> => api.get(`/api/v1/audit-log?${query}`);

const page = async (query: string): Promise<Json> => {
  const answer = await ask(`subject_type=probe&${query}`);
  expectStatus(answer, 200);
  return answer.body;
};

/** The numbers that `fill` gave the rows. */
const numbers = async (query: string): Promise<number[]> =>
  (await page(`page_size=100&${query}`)).data.map((row: Json) => row.details.n);
const all = Array.from({ length: ROWS }, (_, index) => ROWS - index);
const those = (matches: (n: number) => boolean) => all.filter(matches);

describe('GET /api/v1/audit-log', () => {
  it('shows who did what, from where and when, the newest first', async () => {
    const { data, meta } = await page('');
    expect(meta).toEqual({ current_page: 1, page_size: 20, total_pages: 3, total_count: ROWS });
    expect(data.map((row: Json) => row.details.n)).toEqual(all.slice(0, 20));
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      action: 'probe.moved',
      user_id: manager.id,
      user_name: manager.name,
      subject_type: 'probe',
      subject_id: SUBJECT,
      details: { n: 45 },
      address: '203.0.113.1',
      request_id: 'request-45',
      inserted_at: '2026-01-02T21:00:00.000Z',
    });
    expect(data.slice(1, 3).map(({ user_id, user_name }: Json) => [user_id, user_name])).toEqual([
      [null, null],
      [STRANGER, null],
    ]);
  });

  it('shows the name that a user has now', async () => {
    const member = await tenant.member('manager');
    await member.api.post('/api/v1/departments', { department: { name: 'Named' } });
    await tenant.owner.api.put(`/api/v1/users/${member.id}`, { name: 'Another Name' });
    const { data } = (await ask(`user_id=${member.id}&action=department.created`)).body;
    expect(data).toMatchObject([{ user_name: 'Another Name' }]);
  });

  it('shows the connection’s address where no proxy is trusted, whatever X-Forwarded-For says', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const member = await tenant.member('manager');
    const department = { name: 'Not so far' };
    expectStatus(await member.api.post('/api/v1/departments', { department }, { headers }), 201);
    const socket = await TestSocket.connect(test.url, member.token, { extraHeaders: headers });
    expect(await socket.send('set_presence', { presence: 'away' })).toEqual({ ok: true });
    socket.close();
    for (const action of ['department.created', 'user.presence_chosen']) {
      const { data } = (await ask(`user_id=${member.id}&action=${action}`)).body;
      expect(data).toMatchObject([{ action, address: '127.0.0.1' }]);
    }
  });

  it('filters, also by several at once', async () => {
    const filters: [string, (n: number) => boolean][] = [
      [`user_id=${manager.id}`, (n) => n % 3 === 0],
      [`user_id=${STRANGER}`, (n) => n % 3 === 1],
      [`user_id=${someId()}`, () => false],
      ['action=probe.made', (n) => n % 2 === 0],
      ['action=probe.mad', () => false],
      [`subject_id=${SUBJECT}`, (n) => n % 5 === 0],
      ['address=203.0.113.2', (n) => n % 4 === 2],
      ['address=203.0.113.20', () => false],
      ['date_from=2026-01-02', (n) => n >= 24],
      ['date_to=2026-01-01', (n) => n < 24],
      ['date_from=2026-01-01T05:00:00Z&date_to=2026-01-01T07:00:00Z', (n) => n >= 5 && n <= 7],
      [`action=probe.moved&user_id=${manager.id}&date_from=2026-01-02`, (n) => n % 6 === 3 && n >= 24],
    ];
    for (const [query, matches] of filters) {
      expect([query, await numbers(query)]).toEqual([query, those(matches)]);
      expect((await page(query)).meta.total_count).toBe(those(matches).length);
    }
    expect((await ask('subject_type=prob')).body.data).toEqual([]);
  });

  it('pages and sorts by every field that the reference names, repeating and losing no row', async () => {
    const { body } = await test.api.get('/docs-json');
    const { parameters } = body.paths['/api/v1/audit-log'].get;
    const { schema } = parameters
      .map((parameter: Json) => expand(body, parameter))
      .find((parameter: Json) => parameter.name === 'sort_by');
    const columns = expand(body, schema).enum;
    const { details: _details, ...scalars } = (await page('')).data[0];
    expect([...columns].sort()).toEqual(Object.keys(scalars).sort());
    for (const column of columns) {
      const seen: number[] = [];
      for (let number = 1; number <= 3; number++) {
        const { data } = await page(`page=${number}&sort_by=${column}&sort_order=asc`);
        seen.push(...data.map((row: Json) => row.details.n));
      }
      expect([column, seen.length, new Set(seen).size]).toEqual([column, ROWS, ROWS]);
      const backwards = await numbers(`sort_by=${column}&sort_order=desc`);
      expect([column, seen.toReversed()]).toEqual([column, backwards]);
    }
    expect((await page('page=4')).data).toEqual([]);
    expect((await page('page_size=500')).meta.page_size).toBe(100);
  });

  it.each([
    'page=0',
    'page_size=none',
    'sort_by=details',
    'sort_by=tenant_id',
    'sort_order=up',
    'user_id=me',
    'user_id=',
    'subject_id=7',
    'subject_type=Call',
    'subject_type=',
    'action=call',
    'action=call.',
    "action=call.'--",
    'action=call.assigned%00',
    'action=call.assigned&action=call.started',
    'action=call.%25',
    `action=call.${'x'.repeat(64)}`,
    'address=localhost',
    'address=203.0.113',
    'address=',
    'date_from=yesterday',
    'date_to=2026-02-30',
  ])('refuses %s', async (query) => {
    expectFailure(await ask(query), 400);
  });

  it('is for managers and owners, each of their own tenant', async () => {
    for (const role of ['attendant', 'supervisor'] as const) {
      expectFailure(await ask('', await tenant.member(role)), 403);
    }
    expectFailure(await test.api.get('/api/v1/audit-log'), 401);
    expectStatus(await ask('', tenant.owner), 200);
    const theirs = (await ask('page_size=100', other.owner)).body.data;
    const ours = (await ask('page_size=100')).body.data;
    expect(theirs.length).toBeGreaterThanOrEqual(ROWS);
    const ids = new Set(ours.map(({ id }: Json) => id));
    expect(theirs.filter(({ id }: Json) => ids.has(id))).toEqual([]);
    const foreign = await ask(`subject_id=${theirs[0].subject_id}&user_id=${other.owner.id}`);
    expect(foreign.body.data).toEqual([]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('takes no %s', async (method) => {
    expectFailure(await manager.api.send(method, '/api/v1/audit-log', { body: {} }), 404);
  });
});
