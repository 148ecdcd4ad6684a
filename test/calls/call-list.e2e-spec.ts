import { CALL_SORT_COLUMNS } from '../../src/calls/call-list.dto';
import { CALL_STATUSES } from '../../src/calls/machine/call.machine';
import type { Json } from '../support/http/api';
import { type Member, someId, TestTenant } from '../support/builders';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const marchDate = (day: number, time = '12:00:00.000') => `2026-03-${String(day).padStart(2, '0')}T${time}Z`;

/** Inserted into the table directly, because the service cannot create calls with past dates. */
const PAST_CALLS = [
  {
    name: 'Ana 100%',
    email: 'ana@example.com',
    status: 'completed',
    at: marchDate(10, '00:00:00.000'),
    rating: 5,
  },
  { name: 'Bia_Silva', email: 'bia@example.com', status: 'missed', at: marchDate(10, '23:59:59.999') },
  { name: 'BiaXSilva', email: 'bia.x@example.com', status: 'cancelled', at: marchDate(11, '00:00:00.000') },
  { name: 'Ana 1000', email: null, status: 'abandoned', at: marchDate(12) },
  { name: 'Caio', email: 'c_o@example.com', status: 'queued', at: marchDate(13) },
  { name: 'Davi', email: 'd\\o@example.com', status: 'assigned', at: marchDate(14) },
  {
    name: 'Élcio',
    email: 'elcio@example.com',
    status: 'active',
    at: marchDate(14, '13:00:00.000'),
    rating: null,
  },
  { name: 'Davi', email: 'davi@example.com', status: 'completed', at: marchDate(15), rating: 1 },
] as const;

/** Names are sorted by the Unicode Collation Algorithm, without the rules of a language. */
const NATURAL_ORDER = new Intl.Collator('und');

/** A sort key with the byte order that the database uses for other texts. */
const byteOrderKey = (value: Json) =>
  typeof value === 'string' ? Buffer.from(value).toString('hex') : value;

describe('the call list', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let agent: Member;
  let department: Json;
  let otherDepartment: Json;

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    department = await tenant.department({ name: 'Cards' });
    otherDepartment = await tenant.department({ name: 'Loans' });
    agent = await tenant.member('attendant', [department.id]);
    for (const [index, call] of PAST_CALLS.entries()) await insert(index, call);
    // A call of another tenant, which must not appear in any list.
    const other = await TestTenant.register(test);
    await other.join((await other.queue()).link);
  });

  afterAll(() => test.close());

  async function insert(index: number, call: (typeof PAST_CALLS)[number]): Promise<void> {
    const callDepartment = index % 2 ? otherDepartment : department;
    const isCompleted = call.status === 'completed';
    const hasAgent = ['completed', 'assigned', 'active', 'missed'].includes(call.status);
    const isOpen = ['queued', 'assigned', 'active'].includes(call.status);
    await test.db.query(
      `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, customer_email,
         customer_phone, user_id, user_name, estimated_wait_time, wait_time, duration, rating, notes, started_at,
         completed_at, ended_at, inserted_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 60, $10, $11, $12, $13, $14, $15, $16, $17, $17)`,
      [
        tenant.id,
        call.status,
        callDepartment.id,
        callDepartment.name,
        call.name,
        call.email,
        index % 3 ? `+55 ${index}` : null,
        hasAgent ? agent.id : null,
        hasAgent ? agent.name : null,
        index * 10,
        isCompleted ? 100 + index : null,
        'rating' in call ? call.rating : null,
        isCompleted ? `note ${index}` : null,
        isCompleted ? call.at : null,
        isCompleted ? call.at : null,
        isOpen ? null : call.at,
        call.at,
      ],
    );
  }

  const list = (query: Record<string, string | number> = {}, member = tenant.owner) => {
    const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    return member.api.get(`/api/v1/calls?${new URLSearchParams(parameters).toString()}`);
  };

  /** Returns the customer names of the matching calls, oldest first. */
  const findNames = async (query: Record<string, string | number>) => {
    const response = await list({ sort_order: 'asc', ...query });
    expect(response.status).toBe(200);
    expect(response.body.meta.total_count).toBe(response.body.data.length);
    return response.body.data.map((call: Json) => call.customer_name);
  };

  it("returns only the tenant's calls, newest first, with the exact total", async () => {
    const response = await list();
    expect(response.body.meta).toEqual({ current_page: 1, page_size: 20, total_pages: 1, total_count: 8 });
    const times = response.body.data.map((call: Json) => call.inserted_at);
    expect(times).toEqual(PAST_CALLS.map((call) => call.at).reverse());
    expect(response.body.data[0]).toEqual({
      id: expect.any(String),
      status: 'completed',
      end_reason: null,
      department_id: otherDepartment.id,
      department_name: 'Loans',
      user_id: agent.id,
      user_name: agent.name,
      customer_name: 'Davi',
      customer_email: 'davi@example.com',
      customer_phone: '+55 7',
      duration: 107,
      wait_time: 70,
      estimated_wait_time: 60,
      estimated_wait_range: null,
      rating: 1,
      notes: 'note 7',
      has_recording: false,
      callback: null,
      device_report: null,
      started_at: marchDate(15),
      completed_at: marchDate(15),
      inserted_at: marchDate(15),
      overflow_department_id: null,
      identity_confirmed: null,
      overflowed_at: null,
    });
  });

  it.each(CALL_STATUSES)('filters by status %s', async (status) => {
    expect(await findNames({ status })).toEqual(
      PAST_CALLS.filter((call) => call.status === status).map((call) => call.name),
    );
  });

  it('filters by department and by agent', async () => {
    expect(await findNames({ department_id: department.id })).toEqual([
      'Ana 100%',
      'BiaXSilva',
      'Caio',
      'Élcio',
    ]);
    expect(await findNames({ user_id: agent.id })).toEqual([
      'Ana 100%',
      'Bia_Silva',
      'Davi',
      'Élcio',
      'Davi',
    ]);
    expect(await findNames({ user_id: tenant.owner.id })).toEqual([]);
    expect(await findNames({ department_id: someId() })).toEqual([]);
    expect(await findNames({ department_id: department.id, status: 'completed' })).toEqual(['Ana 100%']);
  });

  it.each([
    [{ date_from: '2026-03-14' }, ['Davi', 'Élcio', 'Davi']],
    // Days of São Paulo, which begin at 3:00 UTC.
    [{ date_to: '2026-03-09' }, ['Ana 100%']],
    [{ date_from: '2026-03-10', date_to: '2026-03-10' }, ['Bia_Silva', 'BiaXSilva']],
    [{ date_from: '2026-03-11', date_to: '2026-03-12' }, ['Ana 1000']],
    [
      { date_from: '2026-03-10T23:59:59.999Z', date_to: '2026-03-11T00:00:00.000Z' },
      ['Bia_Silva', 'BiaXSilva'],
    ],
    [{ date_from: '2026-03-13T10:00:00+02:00', date_to: '2026-03-13T10:00:00-02:00' }, ['Caio']],
    // A + that is not encoded is decoded as a space.
    [{ date_from: '2026-03-13T14:00:00 02:00', date_to: '2026-03-13T12:00:00' }, ['Caio']],
    [{ date_from: '2026-03-13T14:00:01 02:00', date_to: '2026-03-13T12:00:00' }, []],
    [{ date_from: '2026-03-16' }, []],
  ])('filters by the dates %o', async (query, names) => {
    expect(await findNames(query)).toEqual(names);
  });

  it.each([
    ['ana', ['Ana 100%', 'Ana 1000']],
    ['BIA', ['Bia_Silva', 'BiaXSilva']],
    ['100%', ['Ana 100%']],
    ['a_s', ['Bia_Silva']],
    ['c_o@', ['Caio']],
    ['d\\o', ['Davi']],
    ['%', ['Ana 100%']],
    ['@EXAMPLE.com', PAST_CALLS.filter((call) => call.email).map((call) => call.name)],
    ["'; DROP TABLE calls; --", []],
    ['', PAST_CALLS.map((call) => call.name)],
  ])('searches name and e-mail for %j', async (search, names) => {
    expect(await findNames({ search })).toEqual(names);
  });

  it.each(CALL_SORT_COLUMNS)('sorts by %s in both directions', async (sort_by) => {
    const page = async (sort_order: string) => (await list({ sort_by, sort_order })).body.data;
    const [ascending, descending] = [await page('asc'), await page('desc')];
    expect(ascending).toHaveLength(PAST_CALLS.length);
    // Null is last in both directions.
    const [known, missing] = [true, false].map((isKnown) =>
      ascending.filter((call: Json) => (call[sort_by] !== null) === isKnown).map((call: Json) => call.id),
    );
    expect(descending.map((call: Json) => call.id)).toEqual([...known.reverse(), ...missing.reverse()]);
    const isName = sort_by.endsWith('_name');
    const values = ascending.map((call: Json) => (isName ? call[sort_by] : byteOrderKey(call[sort_by])));
    const expected = values.toSorted((one: Json, other: Json) => {
      if (one === other) return 0;
      if (one === null || other === null) return one === null ? 1 : -1;
      if (isName) return NATURAL_ORDER.compare(one, other);
      return one < other ? -1 : 1;
    });
    expect(values).toEqual(expected);
  });

  it('returns every call exactly once across pages when all sort values are equal', async () => {
    const ids: string[] = [];
    for (let page = 1; page <= 4; page++) {
      const response = await list({ page, page_size: 3, sort_by: 'department_name' });
      expect(response.body.meta).toEqual({
        current_page: page,
        page_size: 3,
        total_pages: 3,
        total_count: 8,
      });
      ids.push(...response.body.data.map((call: Json) => call.id));
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
  ])('rejects %s with 400', async (query) => {
    const response = await tenant.owner.api.get(`/api/v1/calls?${query}`);
    expect(response.status).toBe(400);
    expect(response.body.errors).toMatchObject({ code: 'bad_request', detail: expect.any(String) });
  });
});
