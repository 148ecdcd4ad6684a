import type { Json } from '../support/http/api';
import { MATRIX } from '../support/authorisation/matrix';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { bookConfirmed, createCustomer, freeSlot } from '../support/contexts/appointments';
import { departmentEnded } from '../support/contexts/departments';
import { expectFailure } from '../support/database/failures';
import { callRow } from '../support/database/rows';
import { startTestApp, type TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let owner: Member['api'];
let attendant: Member;
/** What belongs to the attendant's department, and to another one. */
let own: Records;
let other: Records;

interface Records {
  department: Json;
  link: Json;
  appointment: Json;
  /** The customers of a call, of a link and of an appointment. */
  customers: { call: string; link: string; appointment: string };
}

const KINDS = ['call', 'link', 'appointment'] as const;
/** All of these customers have the same phone. */
const PHONE = '+55 11 98765-4321';

async function newCustomer(name: string): Promise<string> {
  const answer = await owner.post('/api/v1/customers', { name, phone: PHONE });
  expectStatus(answer, 201);
  return answer.body.data.id;
}

async function records(name: string): Promise<Records> {
  const { department, link: open } = await tenant.queue({ name });
  const { call_id } = await tenant.join(open, { name: `${name} caller`, email: `${name}@example.com` });
  const [ofLink, ofAppointment] = [await newCustomer(`${name} invited`), await newCustomer(`${name} booked`)];
  const link = await tenant.link(department.id, { customer_id: ofLink, label: name });
  const appointment = await bookConfirmed(tenant, {
    ...freeSlot(test),
    department_id: department.id,
    customer_id: ofAppointment,
    title: name,
  });
  const { customer_id } = await callRow(test, call_id);
  return {
    department,
    link,
    appointment,
    customers: { call: customer_id, link: ofLink, appointment: ofAppointment },
  };
}

const restrict = async (restrict_attendants: boolean) =>
  expectStatus(await owner.put('/api/v1/tenant', { restrict_attendants }), 200);

const idsOf = ({ body }: { body: Json }): string[] => body.data.map(({ id }: Json) => id).toSorted();
const listed = async (path: string): Promise<string[]> => {
  const answer = await attendant.api.get(`/api/v1/${path}`);
  expectStatus(answer, 200);
  if (answer.body.meta) expect(answer.body.meta.total_count).toBe(answer.body.data.length);
  return idsOf(answer);
};

beforeAll(async () => {
  test = await startTestApp();
  tenant = await TestTenant.register(test);
  owner = tenant.owner.api;
  [own, other] = [await records('ours'), await records('theirs')];
  attendant = await tenant.member('attendant', [own.department.id]);
  await restrict(true);
});

afterAll(() => test.close());

const pathsOf = ({ link, appointment, customers }: Records): string[] => [
  `/api/v1/access-links/${link.id}`,
  `/api/v1/appointments/${appointment.id}`,
  ...KINDS.map((kind) => `/api/v1/customers/${customers[kind]}`),
];

const found = async (search: string): Promise<Json> =>
  (await attendant.api.get(`/api/v1/customers?search=${encodeURIComponent(search)}&page_size=100`)).body;

/** The routes of the matrix to one record of a kind that attendants may take. */
const routesTo = (pattern: RegExp) =>
  Object.entries(MATRIX).flatMap(([route, { statuses }]) =>
    pattern.test(route) && statuses[1] < 400 ? [route] : [],
  );
const CUSTOMER_ROUTES = routesTo(/\/api\/v1\/customers\/\{id\}/);
const LINK_ROUTES = routesTo(/\/api\/v1\/access-links\/\{id\}/);
const APPOINTMENT_ROUTES = routesTo(/\/api\/v1\/appointments\/\{id\}/);

function request(route: string, id: string, body?: Json) {
  const [method = '', path = ''] = route.split(' ');
  return attendant.api.send(method, path.replace(/\{\w+\}/, id), body ? { body } : {});
}

/** The row of a record, so that a refused request is seen to change nothing. */
const rowOf = async (table: string, id: string): Promise<Json> =>
  (await test.db.query(`SELECT * FROM ${table} WHERE id = $1`, [id])).rows[0];

describe('a restricted attendant', () => {
  it('is tested with every route to these records', () => {
    expect(CUSTOMER_ROUTES.toSorted()).toEqual([
      'GET /api/v1/customers/{id}',
      'GET /api/v1/customers/{id}/calls',
      'PUT /api/v1/customers/{id}',
    ]);
    expect(LINK_ROUTES.length).toBe(3);
    expect(APPOINTMENT_ROUTES.length).toBe(6);
  });

  it.each(KINDS)('reaches customers with a %s in their departments, and no others', async (kind) => {
    for (const route of CUSTOMER_ROUTES) {
      const body = route.startsWith('PUT') ? { notes: 'Changed' } : undefined;
      expectStatus(await request(route, own.customers[kind], body), 200);
      const before = await rowOf('customers', other.customers[kind]);
      expectFailure(await request(route, other.customers[kind], body), 404);
      expect(await rowOf('customers', other.customers[kind])).toEqual(before);
    }
  });

  it('reaches links of their departments, and no others', async () => {
    for (const route of LINK_ROUTES) {
      const before = await rowOf('access_links', other.link.id);
      expectFailure(await request(route, other.link.id), 404);
      expect(await rowOf('access_links', other.link.id)).toEqual(before);
      const { id } = await tenant.link(own.department.id);
      expectStatus(await request(route, id), 200);
    }
  });

  it('reaches appointments of their departments, and no others', async () => {
    for (const route of APPOINTMENT_ROUTES) {
      const body = route.startsWith('PUT') ? { title: 'Changed' } : undefined;
      const before = await rowOf('appointments', other.appointment.id);
      expectFailure(await request(route, other.appointment.id, body), 404);
      expect(await rowOf('appointments', other.appointment.id)).toEqual(before);
      const booked = await owner.post('/api/v1/appointments', {
        ...freeSlot(test),
        user_id: tenant.owner.id,
        department_id: own.department.id,
      });
      expectStatus(await request(route, booked.body.data.id, body), 200);
    }
  });

  it('lists, counts and finds these records only', async () => {
    const visible = Object.values(own.customers).toSorted();
    expect(await listed('customers?page_size=100')).toEqual(visible);
    expect(await listed('customers?search=theirs')).toEqual([]);
    expect(await listed('customers?search=ours&sort_by=call_count')).toEqual(visible);
    expect(await listed(`customers?email=theirs@example.com`)).toEqual([]);
    for (const path of ['access-links', 'appointments']) {
      for (const { department_id } of (await attendant.api.get(`/api/v1/${path}?page_size=100`)).body.data) {
        expect(department_id ?? own.department.id).toBe(own.department.id);
      }
      expect(await listed(`${path}?department_id=${other.department.id}`)).toEqual([]);
      expect(await listed(`${path}?search=theirs`)).toEqual([]);
      for (const kind of KINDS) {
        expect(await listed(`${path}?customer_id=${other.customers[kind]}`)).toEqual([]);
      }
    }
    const { user_id, starts_at, ends_at } = other.appointment;
    const conflicts = new URLSearchParams({ user_id, starts_at, ends_at }).toString();
    expect(await listed(`appointments/conflicts?${conflicts}`)).toEqual([]);
    expect((await owner.get(`/api/v1/appointments/conflicts?${conflicts}`)).body.data).toHaveLength(1);
  });

  it('sees duplicates among these customers only', async () => {
    const path = '/api/v1/customers/duplicates';
    const shown = (await attendant.api.get(path)).body;
    expect(shown.meta.total_count).toBe(1);
    expect(shown.data).toMatchObject([{ reason: 'phone', size: 2 }]);
    expect(shown.data[0].customers.map(({ id }: Json) => id).toSorted()).toEqual(
      [own.customers.link, own.customers.appointment].toSorted(),
    );
    expect((await owner.get(path)).body.data).toMatchObject([{ reason: 'phone', size: 4 }]);
  });

  it('makes links and appointments of their departments and customers only', async () => {
    const { api } = attendant;
    const [department_id, customer_id] = [other.department.id, other.customers.link];
    const ours = { department_id: own.department.id };
    expectFailure(await api.post('/api/v1/access-links', { department_id }), 422, { field: 'department_id' });
    expectFailure(await api.post('/api/v1/access-links', { ...ours, customer_id }), 422, {
      field: 'customer_id',
    });
    expectStatus(await api.post('/api/v1/access-links', { ...ours, customer_id: own.customers.link }), 201);
    const appointment = () => ({ user_id: attendant.id, ...freeSlot(test) });
    const book = (input: Json) => api.post('/api/v1/appointments', { ...appointment(), ...input });
    expectFailure(await book({ department_id }), 422, { field: 'department_id' });
    expectFailure(await book({ ...ours, customer_id }), 422, { field: 'customer_id' });
    // An appointment without a department belongs to its agent.
    expectFailure(await book({ user_id: tenant.owner.id }), 422, { field: 'department_id' });
    const mine = await book({});
    expectStatus(mine, 201);
    const path = `/api/v1/appointments/${mine.body.data.id}`;
    expectStatus(await api.get(path), 200);
    for (const input of [{ department_id }, { customer_id }, { user_id: tenant.owner.id }]) {
      const field = 'customer_id' in input ? 'customer_id' : 'department_id';
      expectFailure(await api.put(path, input), 422, { field });
    }
    expectStatus(await api.put(path, ours), 200);
  });

  it('sees customers whom they create, and those whose call they have', async () => {
    const created = await attendant.api.post('/api/v1/customers', { name: 'New here' });
    expectStatus(created, 201);
    expectStatus(await attendant.api.get(`/api/v1/customers/${created.body.data.id}`), 200);
    const colleague = await tenant.member('attendant', [own.department.id]);
    expectFailure(await colleague.api.get(`/api/v1/customers/${created.body.data.id}`), 404);
    const { link } = await tenant.queue();
    const { call_id } = await tenant.join(link, { name: 'Passed on' });
    const { customer_id } = await callRow(test, call_id);
    expectFailure(await attendant.api.get(`/api/v1/customers/${customer_id}`), 404);
    expectStatus(await owner.post(`/api/v1/calls/${call_id}/assign`, { user_id: attendant.id }), 200);
    expectStatus(await attendant.api.get(`/api/v1/customers/${customer_id}`), 200);
  });

  it('sees the records of a new department at once, and those of the former one no longer', async () => {
    const person = await tenant.member('attendant', [own.department.id]);
    const statuses = async (records: Records) =>
      Promise.all(pathsOf(records).map(async (url) => (await person.api.get(url)).status));
    expect([await statuses(own), await statuses(other)]).toEqual([Array(5).fill(200), Array(5).fill(404)]);
    expectStatus(
      await owner.put(`/api/v1/users/${person.id}`, { department_ids: [other.department.id] }),
      200,
    );
    expect([await statuses(own), await statuses(other)]).toEqual([Array(5).fill(404), Array(5).fill(200)]);
  });

  it('is limited no longer as a supervisor, or without the setting', async () => {
    const supervisor = await tenant.member('supervisor');
    const paths = [
      `customers/${other.customers.call}`,
      `access-links/${other.link.id}`,
      `appointments/${other.appointment.id}`,
    ];
    for (const path of paths) expectStatus(await supervisor.api.get(`/api/v1/${path}`), 200);
    await restrict(false);
    for (const path of paths) expectStatus(await attendant.api.get(`/api/v1/${path}`), 200);
    await restrict(true);
    for (const path of paths) expectFailure(await attendant.api.get(`/api/v1/${path}`), 404);
  });

  it('keeps appointments of a deleted department as their agent, and links that they made without the customer', async () => {
    const department = await tenant.department();
    const person = await tenant.member('attendant', [department.id]);
    const [ofLink, ofAppointment] = [await createCustomer(tenant), await createCustomer(tenant)];
    const input = { department_id: department.id, customer_id: ofLink.id };
    const foreign = await tenant.link(department.id, input);
    const { id: link } = (await person.api.post('/api/v1/access-links', input)).body.data;
    const appointment = await bookConfirmed(tenant, {
      ...freeSlot(test),
      user_id: person.id,
      department_id: department.id,
      customer_id: ofAppointment.id,
    });
    const statuses = async () =>
      Promise.all(
        [
          `appointments/${appointment.id}`,
          `customers/${ofAppointment.id}`,
          `access-links/${link}`,
          `access-links/${foreign.id}`,
          `customers/${ofLink.id}`,
        ].map(async (path) => (await person.api.get(`/api/v1/${path}`)).status),
      );
    expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
    expectStatus(await owner.delete(`/api/v1/departments/${department.id}`), 204);
    expect(await statuses()).toEqual([200, 200, 200, 404, 404]);
    await departmentEnded(test, department.id);
    expect(await statuses()).toEqual([200, 200, 200, 404, 404]);
  });

  it('counts and finds their own in a long list of customers', async () => {
    await test.db.query(
      `INSERT INTO customers (tenant_id, name, inserted_at, updated_at)
       SELECT $1, 'Person ' || n, now(), now() FROM generate_series(1, 1000) AS n`,
      [tenant.id],
    );
    // Those with an even number have called the attendant's department.
    await test.db.query(
      `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_id, customer_name, estimated_wait_time,
         inserted_at, updated_at, ended_at)
       SELECT $1, 'missed', CASE WHEN name ~ '[02468]$' THEN $2::uuid ELSE $3::uuid END, 'X', id, name, 0, now(),
         now(), now()
       FROM customers WHERE tenant_id = $1 AND name LIKE 'Person %'`,
      [tenant.id, own.department.id, other.department.id],
    );
    const all = await found('person');
    expect(all.meta.total_count).toBe(500);
    expect(all.data).toHaveLength(100);
    for (const { name } of all.data) expect(name).toMatch(/^Person \d*[02468]$/);
    const some = await found('person 99');
    expect(some.data.map(({ name }: Json) => name).toSorted()).toEqual(
      [990, 992, 994, 996, 998].map((number) => `Person ${number}`),
    );
  });
});
