import { CALL_SORT_COLUMNS } from '../../src/calls/call.dto';
import { CALL_STATUSES } from '../../src/calls/machine/call.machine';
import type { Json } from '../support/http/api';
import { type Member, someId, TestTenant } from '../support/builders';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const DAY = (day: number, time = '12:00:00.000') => `2026-03-${String(day).padStart(2, '0')}T${time}Z`;

/** Calls of the past, as nobody could live through them in a test. */
const PAST = [
  { name: 'Ana 100%', email: 'ana@example.com', status: 'completed', at: DAY(10, '00:00:00.000'), rating: 5 },
  { name: 'Bia_Silva', email: 'bia@example.com', status: 'missed', at: DAY(10, '23:59:59.999') },
  { name: 'BiaXSilva', email: 'bia.x@example.com', status: 'cancelled', at: DAY(11, '00:00:00.000') },
  { name: 'Ana 1000', email: null, status: 'abandoned', at: DAY(12) },
  { name: 'Caio', email: 'c_o@example.com', status: 'queued', at: DAY(13) },
  { name: 'Davi', email: 'd\\o@example.com', status: 'assigned', at: DAY(14) },
  { name: 'Élcio', email: 'elcio@example.com', status: 'active', at: DAY(14, '13:00:00.000'), rating: null },
  { name: 'Davi', email: 'davi@example.com', status: 'completed', at: DAY(15), rating: 1 },
] as const;

/** Sorts as the database does, byte by byte. */
const bytes = (value: Json) => (typeof value === 'string' ? Buffer.from(value).toString('hex') : value);

describe('the list of calls', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let agent: Member;
  let department: Json;
  let elsewhere: Json;

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    department = await tenant.department({ name: 'Cards' });
    elsewhere = await tenant.department({ name: 'Loans' });
    agent = await tenant.member('attendant', [department.id]);
    for (const [index, call] of PAST.entries()) await insert(index, call);
    // Another tenant has calls, too; nobody here ever sees one.
    const other = await TestTenant.register(test);
    await other.join((await other.queue()).link);
  });

  afterAll(() => test.close());

  async function insert(index: number, call: (typeof PAST)[number]): Promise<void> {
    const place = index % 2 ? elsewhere : department;
    const talked = call.status === 'completed';
    const served = ['completed', 'assigned', 'active', 'missed'].includes(call.status);
    const open = ['queued', 'assigned', 'active'].includes(call.status);
    await test.db.query(
      `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, customer_email,
         customer_phone, user_id, user_name, estimated_wait_time, wait_time, duration, rating, notes, started_at,
         completed_at, ended_at, inserted_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 60, $10, $11, $12, $13, $14, $15, $16, $17, $17)`,
      [
        tenant.id,
        call.status,
        place.id,
        place.name,
        call.name,
        call.email,
        index % 3 ? `+55 ${index}` : null,
        served ? agent.id : null,
        served ? agent.name : null,
        index * 10,
        talked ? 100 + index : null,
        'rating' in call ? call.rating : null,
        talked ? `note ${index}` : null,
        talked ? call.at : null,
        talked ? call.at : null,
        open ? null : call.at,
        call.at,
      ],
    );
  }

  const list = (query: Record<string, string | number> = {}, who = tenant.owner) => {
    const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    return who.api.get(`/api/v1/calls?${new URLSearchParams(parameters).toString()}`);
  };

  /** The names found, in the order of PAST. */
  const found = async (query: Record<string, string | number>) => {
    const answer = await list({ sort_order: 'asc', ...query });
    expect(answer.status).toBe(200);
    expect(answer.body.meta.total_count).toBe(answer.body.data.length);
    return answer.body.data.map((call: Json) => call.customer_name);
  };

  it("has the tenant's calls alone, newest first, with the exact total", async () => {
    const answer = await list();
    expect(answer.body.meta).toEqual({ current_page: 1, page_size: 20, total_pages: 1, total_count: 8 });
    const times = answer.body.data.map((call: Json) => call.inserted_at);
    expect(times).toEqual(PAST.map((call) => call.at).reverse());
    expect(answer.body.data[0]).toEqual({
      id: expect.any(String),
      status: 'completed',
      department_id: elsewhere.id,
      department_name: 'Loans',
      user_id: agent.id,
      user_name: agent.name,
      customer_name: 'Davi',
      customer_email: 'davi@example.com',
      customer_phone: '+55 7',
      duration: 107,
      wait_time: 70,
      rating: 1,
      notes: 'note 7',
      has_recording: false,
      started_at: DAY(15),
      completed_at: DAY(15),
      inserted_at: DAY(15),
    });
  });

  it.each(CALL_STATUSES)('filters by the status %s', async (status) => {
    expect(await found({ status })).toEqual(
      PAST.filter((call) => call.status === status).map((call) => call.name),
    );
  });

  it('filters by department and by agent', async () => {
    expect(await found({ department_id: department.id })).toEqual(['Ana 100%', 'BiaXSilva', 'Caio', 'Élcio']);
    expect(await found({ user_id: agent.id })).toEqual(['Ana 100%', 'Bia_Silva', 'Davi', 'Élcio', 'Davi']);
    expect(await found({ user_id: tenant.owner.id })).toEqual([]);
    expect(await found({ department_id: someId() })).toEqual([]);
    expect(await found({ department_id: department.id, status: 'completed' })).toEqual(['Ana 100%']);
  });

  it.each([
    [{ date_from: '2026-03-14' }, ['Davi', 'Élcio', 'Davi']],
    [{ date_to: '2026-03-10' }, ['Ana 100%', 'Bia_Silva']],
    [{ date_from: '2026-03-10', date_to: '2026-03-10' }, ['Ana 100%', 'Bia_Silva']],
    [{ date_from: '2026-03-11', date_to: '2026-03-12' }, ['BiaXSilva', 'Ana 1000']],
    [
      { date_from: '2026-03-10T23:59:59.999Z', date_to: '2026-03-11T00:00:00.000Z' },
      ['Bia_Silva', 'BiaXSilva'],
    ],
    [{ date_from: '2026-03-13T10:00:00+02:00', date_to: '2026-03-13T10:00:00-02:00' }, ['Caio']],
    [{ date_from: '2026-03-16' }, []],
  ])('filters by date: %o', async (query, names) => {
    expect(await found(query)).toEqual(names);
  });

  it.each([
    ['ana', ['Ana 100%', 'Ana 1000']],
    ['BIA', ['Bia_Silva', 'BiaXSilva']],
    ['100%', ['Ana 100%']],
    ['a_s', ['Bia_Silva']],
    ['c_o@', ['Caio']],
    ['d\\o', ['Davi']],
    ['%', ['Ana 100%']],
    ['@EXAMPLE.com', PAST.filter((call) => call.email).map((call) => call.name)],
    ["'; DROP TABLE calls; --", []],
    ['', PAST.map((call) => call.name)],
  ])('searches name and e-mail for %j', async (search, names) => {
    expect(await found({ search })).toEqual(names);
  });

  it.each(CALL_SORT_COLUMNS)('sorts by %s, both ways', async (sort_by) => {
    const page = async (sort_order: string) => (await list({ sort_by, sort_order })).body.data;
    const [up, down] = [await page('asc'), await page('desc')];
    expect(up).toHaveLength(PAST.length);
    expect(down.map((call: Json) => call.id)).toEqual(up.map((call: Json) => call.id).reverse());
    const values = up.map((call: Json) => bytes(call[sort_by]));
    const expected = values.toSorted((one: Json, other: Json) => {
      if (one === other) return 0;
      if (one === null || other === null) return one === null ? 1 : -1;
      return one < other ? -1 : 1;
    });
    expect(values).toEqual(expected);
  });

  it('gives every call exactly once over pages of ties', async () => {
    const ids: string[] = [];
    for (let page = 1; page <= 4; page++) {
      const answer = await list({ page, page_size: 3, sort_by: 'department_name' });
      expect(answer.body.meta).toEqual({ current_page: page, page_size: 3, total_pages: 3, total_count: 8 });
      ids.push(...answer.body.data.map((call: Json) => call.id));
    }
    expect(new Set(ids).size).toBe(8);
    expect(ids).toHaveLength(8);
  });

  it.each([
    'status=waiting',
    'department_id=1',
    'user_id=me',
    'date_from=yesterday',
    'date_to=2026-02-30',
    'sort_by=password',
    'sort_by=version',
    'sort_order=up',
    'page=0',
    'page=x',
    'page_size=0',
    'search=%00',
  ])('refuses %s', async (query) => {
    const answer = await tenant.owner.api.get(`/api/v1/calls?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject({ code: 'bad_request', detail: expect.any(String) });
  });
});
