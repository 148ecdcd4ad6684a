import type { Answer, Json } from '../support/http/api';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { TestSocket } from '../support/sockets/socket';
import { expand } from '../support/http/json-schema';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const ROWS = 45;
const SUBJECT = someId();
const DELETED_USER_ID = someId();

let test: TestApp;
let tenant: TestTenant;
let other: TestTenant;
let manager: Member;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  other = await TestTenant.register(test);
  manager = await tenant.member('manager');
  await insertRows(tenant.id, manager.id);
  await insertRows(other.id, other.owner.id);
});

afterAll(() => test.close());

/** Inserts one row an hour from 2026-01-01 on; a third of them by a deleted user, a third without a user. */
async function insertRows(tenantId: string, userId: string): Promise<void> {
  await test.db.query(
    `INSERT INTO audit_log (tenant_id, user_id, action, subject_type, subject_id, details, address, request_id,
       inserted_at)
     SELECT $1, CASE n % 3 WHEN 0 THEN $2::uuid WHEN 1 THEN $3::uuid END, 'probe.' || (ARRAY['made', 'moved'])[1 + n % 2],
       'probe', CASE WHEN n % 5 = 0 THEN $4::uuid ELSE gen_random_uuid() END, jsonb_build_object('n', n),
       '203.0.113.' || n % 4, 'request-' || n, '2026-01-01'::timestamptz + n * interval '1 hour'
     FROM generate_series(1, ${ROWS}) AS n`,
    [tenantId, userId, DELETED_USER_ID, SUBJECT],
  );
}

const getAuditLog = (query: string, { api } = manager): Promise<Answer> =>
  api.get(`/api/v1/audit-log?${query}`);

const getPage = async (query: string): Promise<Json> => {
  const answer = await getAuditLog(`subject_type=probe&${query}`);
  expectStatus(answer, 200);
  return answer.body;
};

/** The numbers that `insertRows` gave the rows. */
const rowNumbers = async (query: string): Promise<number[]> =>
  (await getPage(`page_size=100&${query}`)).data.map((row: Json) => row.details.n);
const allNumbers = Array.from({ length: ROWS }, (_, index) => ROWS - index);
const matchingNumbers = (matches: (n: number) => boolean) => allNumbers.filter(matches);

describe('GET /api/v1/audit-log', () => {
  it('returns user, action, subject, address and time of every row, newest first', async () => {
    const { data, meta } = await getPage('');
    expect(meta).toEqual({ current_page: 1, page_size: 20, total_pages: 3, total_count: ROWS });
    expect(data.map((row: Json) => row.details.n)).toEqual(allNumbers.slice(0, 20));
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
      [DELETED_USER_ID, null],
    ]);
  });

  it('returns the current name of a user', async () => {
    const member = await tenant.member('manager');
    await member.api.post('/api/v1/departments', { department: { name: 'Named' } });
    await tenant.owner.api.put(`/api/v1/users/${member.id}`, { name: 'Another Name' });
    const { data } = (await getAuditLog(`user_id=${member.id}&action=department.created`)).body;
    expect(data).toMatchObject([{ user_name: 'Another Name' }]);
  });

  it('returns the address of the connection and ignores X-Forwarded-For when no proxy is trusted', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const member = await tenant.member('manager');
    const department = { name: 'Not so far' };
    expectStatus(await member.api.post('/api/v1/departments', { department }, { headers }), 201);
    const socket = await TestSocket.connect(test.url, member.token, { extraHeaders: headers });
    expect(await socket.send('set_presence', { presence: 'away' })).toEqual({ ok: true });
    socket.close();
    for (const action of ['department.created', 'user.presence_chosen']) {
      const { data } = (await getAuditLog(`user_id=${member.id}&action=${action}`)).body;
      expect(data).toMatchObject([{ action, address: '127.0.0.1' }]);
    }
  });

  it('filters by one or several parameters', async () => {
    const filters: [string, (n: number) => boolean][] = [
      [`user_id=${manager.id}`, (n) => n % 3 === 0],
      [`user_id=${DELETED_USER_ID}`, (n) => n % 3 === 1],
      [`user_id=${someId()}`, () => false],
      ['action=probe.made', (n) => n % 2 === 0],
      ['action=probe.mad', () => false],
      [`subject_id=${SUBJECT}`, (n) => n % 5 === 0],
      ['address=203.0.113.2', (n) => n % 4 === 2],
      ['address=203.0.113.20', () => false],
      // Days of São Paulo, which begin at 3:00 UTC.
      ['date_from=2026-01-02', (n) => n >= 27],
      ['date_to=2026-01-01', (n) => n < 27],
      ['date_from=2026-01-01T05:00:00Z&date_to=2026-01-01T07:00:00Z', (n) => n >= 5 && n <= 7],
      [`action=probe.moved&user_id=${manager.id}&date_from=2026-01-02`, (n) => n % 6 === 3 && n >= 27],
    ];
    for (const [query, matches] of filters) {
      expect([query, await rowNumbers(query)]).toEqual([query, matchingNumbers(matches)]);
      expect((await getPage(query)).meta.total_count).toBe(matchingNumbers(matches).length);
    }
    expect((await getAuditLog('subject_type=prob')).body.data).toEqual([]);
  });

  it('pages and sorts by every documented field without repeating or losing a row', async () => {
    const { body } = await test.api.get('/docs-json');
    const { parameters } = body.paths['/api/v1/audit-log'].get;
    const { schema } = parameters
      .map((parameter: Json) => expand(body, parameter))
      .find((parameter: Json) => parameter.name === 'sort_by');
    const columns = expand(body, schema).enum;
    const { details: _details, ...scalars } = (await getPage('')).data[0];
    expect([...columns].sort()).toEqual(Object.keys(scalars).sort());
    for (const column of columns) {
      const rows: Json[] = [];
      for (let number = 1; number <= 3; number++)
        rows.push(...(await getPage(`page=${number}&sort_by=${column}&sort_order=asc`)).data);
      const seen = rows.map((row) => row.details.n);
      expect([column, seen.length, new Set(seen).size]).toEqual([column, ROWS, ROWS]);
      // Null comes last in both directions.
      const [empty, filled] = [true, false].map((isNull) =>
        rows.filter((row) => (row[column] === null) === isNull).map((row) => row.details.n as number),
      ) as [number[], number[]];
      expect([column, seen]).toEqual([column, [...filled, ...empty]]);
      const descending = await rowNumbers(`sort_by=${column}&sort_order=desc`);
      expect([column, descending]).toEqual([column, [...filled.toReversed(), ...empty.toReversed()]]);
    }
    expect((await getPage('page=4')).data).toEqual([]);
    expect((await getPage('page_size=500')).meta.page_size).toBe(100);
  });

  it.each([
    'page=0',
    'page_size=none',
    'sort_by=details',
    'sort_by=tenant_id',
    'sort_order=up',
    'user_id=me',
    'subject_id=7',
    'subject_type=Call',
    'action=call',
    'action=call.',
    "action=call.'--",
    'action=call.assigned%00',
    'action=call.assigned&action=call.started',
    'action=call.%25',
    `action=call.${'x'.repeat(64)}`,
    'address=localhost',
    'address=203.0.113',
    'date_from=yesterday',
    'date_to=2026-02-30',
  ])('rejects %s with 400', async (query) => {
    expectFailure(await getAuditLog(query), 400);
  });

  it('ignores empty filters', async () => {
    const { body } = await getAuditLog(
      'user_id=&action=&subject_type=&subject_id=&address=&date_from=&date_to=',
    );
    expect(body).toEqual((await getAuditLog('')).body);
  });

  it('is allowed for managers and owners, for their own tenant only', async () => {
    for (const role of ['attendant', 'supervisor'] as const) {
      expectFailure(await getAuditLog('', await tenant.member(role)), 403);
    }
    expectFailure(await test.api.get('/api/v1/audit-log'), 401);
    expectStatus(await getAuditLog('', tenant.owner), 200);
    const otherRows = (await getAuditLog('page_size=100', other.owner)).body.data;
    const ownRows = (await getAuditLog('page_size=100')).body.data;
    expect(otherRows.length).toBeGreaterThanOrEqual(ROWS);
    const ids = new Set(ownRows.map(({ id }: Json) => id));
    expect(otherRows.filter(({ id }: Json) => ids.has(id))).toEqual([]);
    const foreign = await getAuditLog(`subject_id=${otherRows[0].subject_id}&user_id=${other.owner.id}`);
    expect(foreign.body.data).toEqual([]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('answers %s with 405', async (method) => {
    expectFailure(await manager.api.send(method, '/api/v1/audit-log', { body: {} }), 405);
  });
});
