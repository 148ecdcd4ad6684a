import type { Json } from '../support/http/api';
import { expectStatus, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { startTestApp, type TestApp } from '../support/test-app';

const LINKS = '/api/v1/access-links';

let test: TestApp;
let tenant: TestTenant;
let other: TestTenant;
let department: Json;

beforeAll(async () => {
  test = await startTestApp({ env: { PUBLIC_URL: 'https://calls.example.com' } });
  tenant = await TestTenant.register(test);
  other = await TestTenant.register(test);
  department = await tenant.department({ name: 'Front Desk' });
});

afterAll(() => test.close());

const create = (input: Json) => tenant.owner.api.post(LINKS, input);
const get = async (id: string): Promise<Json> => (await tenant.owner.api.get(`${LINKS}/${id}`)).body.data;
const inSeconds = (seconds: number) => new Date(test.clock.now().getTime() + seconds * 1000).toISOString();
const validate = (link: Json) => test.api.get(`/api/v1/call/${link.token}/validate`);

async function createCustomer(owner: TestTenant): Promise<string> {
  const { rows } = await test.db.query(
    `INSERT INTO customers (tenant_id, name) VALUES ($1, 'Carla') RETURNING id`,
    [owner.id],
  );
  return rows[0].id;
}

describe('creating and reading access links', () => {
  it('is allowed for attendants and returns the complete link', async () => {
    const attendant = await tenant.member('attendant');
    const answer = await attendant.api.post(LINKS, { department_id: department.id });
    expect(answer.status).toBe(201);
    const link = answer.body.data;
    expect(link).toEqual({
      id: expect.any(String),
      token: expect.stringMatching(/^[\w-]{22,}$/),
      url: `https://calls.example.com/c/${link.token}`,
      department_id: department.id,
      department_name: 'Front Desk',
      customer_id: null,
      label: null,
      status: 'active',
      max_uses: null,
      use_count: 0,
      valid_from: null,
      expires_at: null,
      priority: 0,
      skills: [],
      created_by: attendant.id,
      inserted_at: expect.stringMatching(/\.\d{3}Z$/),
    });
    expect((await attendant.api.get(`${LINKS}/${link.id}`)).body).toEqual({ data: link });
    expect((await attendant.api.get(LINKS)).body.data).toContainEqual(link);
  });

  it('accepts all fields, flat or wrapped, and ignores unknown ones', async () => {
    const input = {
      department_id: department.id,
      customer_id: await createCustomer(tenant),
      label: 'Website',
      max_uses: 3,
      expires_at: inSeconds(3600),
      priority: 9,
    };
    const extra = { token: 'mine', use_count: 9, created_by: someId(), tenant_id: other.id };
    for (const body of [{ ...input, ...extra }, { access_link: { ...input, ...extra } }]) {
      const answer = await create(body);
      expectStatus(answer, 201);
      expect(answer.body.data).toMatchObject({ ...input, use_count: 0, created_by: tenant.owner.id });
      expect(answer.body.data.token).not.toBe('mine');
    }
  });

  it.each([
    ['GET', ''],
    ['POST', ''],
    ['GET', `/${someId()}`],
  ])('%s /access-links%s requires an access token', async (method, path) => {
    const body = method === 'POST' ? { department_id: department.id } : undefined;
    expectFailure(await test.api.send(method, LINKS + path, { body }), 401);
  });

  it.each([
    ['department_id', {}],
    ['department_id', { department_id: 'x' }],
    ['department_id', { department_id: someId() }],
    ['customer_id', { customer_id: someId() }],
    ['customer_id', { customer_id: 'Carla' }],
    ['label', { label: 'x'.repeat(256) }],
    ['max_uses', { max_uses: 0 }],
    ['max_uses', { max_uses: 1e20 }],
    ['max_uses', { max_uses: '3' }],
    ['expires_at', { expires_at: 'tomorrow' }],
    ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
    ['expires_at', { expires_at: '2035-02-30T00:00:00Z' }],
    ['expires_at', { expires_at: '2035-W10-1' }],
    ['expires_at', { expires_at: '2035-100' }],
    ['expires_at', { expires_at: '2035' }],
    ['expires_at', { expires_at: 1_900_000_000_000 }],
    ['priority', { priority: -1 }],
    ['priority', { priority: 10 }],
    ['priority', { priority: 1.5 }],
    ['priority', { priority: '1' }],
  ])('rejects an invalid %s: %j', async (field, input) => {
    const body = field === 'department_id' ? input : { department_id: department.id, ...input };
    expectFailure(await create(body), 422, { code: 'validation_failed', field });
  });

  it.each([
    ['2035-06-01T12:00:00+02:00', '2035-06-01T10:00:00.000Z'],
    // A time without an offset is UTC, whatever the server's time zone.
    ['2035-06-01T12:00:00', '2035-06-01T12:00:00.000Z'],
    ['2035-06-01', '2035-06-01T00:00:00.000Z'],
  ])('reads the expiry time %s as %s', async (expires_at, moment) => {
    const answer = await create({ department_id: department.id, expires_at });
    expect(answer.body.data.expires_at).toBe(moment);
  });

  it("rejects another tenant's department and customer", async () => {
    const foreign = await other.department();
    expectFailure(await create({ department_id: foreign.id }), 422, { field: 'department_id' });
    const customer_id = await createCustomer(other);
    expectFailure(await create({ department_id: department.id, customer_id }), 422, { field: 'customer_id' });
  });

  it("answers 404 for an unknown link or another tenant's, and 400 for an invalid UUID", async () => {
    const foreign = await other.link((await other.department()).id);
    for (const id of [someId(), foreign.id]) {
      expectFailure(await tenant.owner.api.get(`${LINKS}/${id}`), 404, { code: 'not_found' });
    }
    expectFailure(await tenant.owner.api.get(`${LINKS}/x`), 400, { field: 'id' });
    expect((await tenant.owner.api.get(LINKS)).body.data).not.toContainEqual(
      expect.objectContaining({ id: foreign.id }),
    );
  });
});

describe('an access link', () => {
  it('allows no more than max_uses joins, even at once', async () => {
    const link = await tenant.link(department.id, { max_uses: 2 });
    const joins = await Promise.all(
      Array.from({ length: 5 }, () => test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Fast' })),
    );
    expect(joins.map(({ status }) => status).sort()).toEqual([200, 200, 404, 404, 404]);
    expect(await get(link.id)).toMatchObject({ status: 'used', use_count: 2 });
    expectFailure(await validate(link), 404, { code: 'link_used' });
  });

  it('is invalid after it expires', async () => {
    const link = await tenant.link(department.id, { expires_at: inSeconds(60) });
    expectStatus(await validate(link), 200);
    test.clock.advance(61);
    expect((await get(link.id)).status).toBe('expired');
    expectFailure(await validate(link), 404, { code: 'link_expired' });
    expectFailure(await test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Late' }), 404);
  });

  it('of a customer assigns every join to that customer', async () => {
    const customer_id = await createCustomer(tenant);
    const link = await tenant.link(department.id, { customer_id });
    const { call_id } = await tenant.join(link, { email: 'somebody@example.com' });
    const { rows } = await test.db.query('SELECT customer_id FROM calls WHERE id = $1', [call_id]);
    expect(rows).toEqual([{ customer_id }]);
  });
});

describe('the list of access links', () => {
  it('can be filtered by status, department, customer and label', async () => {
    const desk = await tenant.department();
    const customer_id = await createCustomer(tenant);
    const used = await tenant.link(desk.id, { max_uses: 1, label: 'One-off 100%' });
    const expired = await tenant.link(desk.id, { expires_at: inSeconds(30), customer_id });
    const active = await tenant.link(desk.id, { label: 'ONE-OFF 1000' });
    const cancelled = await tenant.link(desk.id);
    await test.db.query('UPDATE access_links SET cancelled_at = now() WHERE id = $1', [cancelled.id]);
    await tenant.join(used);
    test.clock.advance(31);
    const ids = async (query: string) => {
      const answer = await tenant.owner.api.get(`${LINKS}?department_id=${desk.id}&${query}`);
      expectStatus(answer, 200);
      expect(answer.body.meta.total_count).toBe(answer.body.data.length);
      return answer.body.data.map((link: Json) => link.id).sort();
    };
    expect(await ids('')).toEqual([used.id, expired.id, active.id, cancelled.id].sort());
    expect(await ids('status=used')).toEqual([used.id]);
    expect(await ids('status=expired')).toEqual([expired.id]);
    expect(await ids('status=active')).toEqual([active.id]);
    expect(await ids('status=cancelled')).toEqual([cancelled.id]);
    expect(await ids(`customer_id=${customer_id}`)).toEqual([expired.id]);
    expect(await ids('search=one-off')).toEqual([used.id, active.id].sort());
    // A % is matched literally.
    expect(await ids('search=100%25')).toEqual([used.id]);
    expect(await ids(`department_id=${someId()}`.replace('department_id', 'customer_id'))).toEqual([]);
  });
});
