import { expand } from '../support/http/json-schema';
import { readDocument } from '../support/http/openapi-file';
import type { Answer, Json } from '../support/http/api';
import { expectStatus, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const document = readDocument();
const USERS = '/api/v1/users';
const DEPARTMENTS = '/api/v1/departments';

let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test, 'enterprise');
});

afterAll(() => test.close());

interface Body {
  method: string;
  path: string;
  /** The names of its fields, without the wrapper of its resource. */
  fields: string[];
  /** The fields of what the route answers, and of what a GET of its path does. */
  answered: string[];
}

/** The bodies of staff. */
const bodies = Object.entries<Json>(document.paths)
  .filter(([path]) => path.startsWith('/api/v1/'))
  .flatMap(([path, operations]) =>
    Object.entries<Json>(operations)
      .filter(
        ([, { security, requestBody }]) =>
          JSON.stringify(security ?? []).includes('access_token') && requestBody?.content['application/json'],
      )
      .map(([method, operation]): Body => {
        const { schema } = operation.requestBody.content['application/json'];
        const fields = Object.keys(expand(document, schema.anyOf?.at(-1) ?? schema).properties ?? {});
        const answered = [operation, operations.get].flatMap((one) => (one ? answeredBy(one) : []));
        return { method: method.toUpperCase(), path, fields, answered };
      }),
  );

/** The fields of the object that an operation answers, or of each object of its list. */
function answeredBy({ responses }: Json): string[] {
  const success = Object.entries<Json>(responses).find(([status]) => status.startsWith('2'))?.[1];
  const { content } = expand(document, success ?? {});
  const data = content?.['application/json']?.schema?.properties?.data;
  if (!data) return [];
  const { type, items, properties } = expand(document, data);
  return Object.keys((type === 'array' ? expand(document, items).properties : properties) ?? {});
}

const send = ({ method, path }: Body, body: Json): Promise<Answer> =>
  tenant.owner.api.send(
    method,
    path.replaceAll(/\{\w+\}/g, () => someId()),
    { body },
  );

describe.each(bodies.map((body) => [`${body.method} ${body.path}`, body] as const))('%s', (_name, body) => {
  it('names the field that a misspelt one means', async () => {
    const misspelt = body.fields.filter((name) => !body.answered.includes(`x${name}`)).slice(0, 20);
    const answer = await send(body, Object.fromEntries(misspelt.map((name) => [`x${name}`, null])));
    expectFailure(answer, 422, { code: 'unknown_field' });
    expect(answer.body.errors.fields).toEqual(
      Object.fromEntries(misspelt.map((name) => [`x${name}`, [`is unknown; did you mean ${name}?`]])),
    );
  });

  it('takes all fields that the resource is answered with', async () => {
    const answer = await send(body, Object.fromEntries(body.answered.map((name) => [name, null])));
    expect(answer.body.errors?.code).not.toBe('unknown_field');
  });
});

describe('a field of the body that belongs into the query', () => {
  it.each([
    ['POST', 'recording/ticket'],
    ['DELETE', 'recording'],
  ])('is refused where the route takes no body: %s %s', async (method, what) => {
    const path = `/api/v1/calls/${someId()}/${what}`;
    const answer = await tenant.owner.api.send(method, path, { body: { recording_id: someId() } });
    expectFailure(answer, 422, { code: 'unknown_field', field: 'recording_id' });
    expectFailure(await tenant.owner.api.send(method, path, { body: { recording: 'x' } }), 404);
  });
});

describe('a misspelt field', () => {
  it.each([
    ['max_queue', 'max_queue_size'],
    ['max_queue_sise', 'max_queue_size'],
    ['max_queue_size_of_all', 'max_queue_size'],
    ['max_wait_tiem', 'max_wait_time'],
    ['nmae', 'name'],
    ['desc', 'description'],
    ['Name', 'name'],
    ['maxQueueSize', 'max_queue_size'],
    ['max-queue-size', 'max_queue_size'],
  ])('%s means %s, and nothing is changed', async (field, known) => {
    const department = await tenant.department();
    const before = (await tenant.owner.api.get(`${DEPARTMENTS}/${department.id}`)).body.data;
    for (const fields of [{ name: 'Renamed', [field]: 5 }, { department: { name: 'Renamed', [field]: 5 } }]) {
      const answer = await tenant.owner.api.put(`${DEPARTMENTS}/${department.id}`, fields);
      expectFailure(answer, 422, { code: 'unknown_field', field });
      expect(answer.body.errors.detail).toBe(`The field ${field} is unknown. Did you mean ${known}?`);
    }
    expect((await tenant.owner.api.get(`${DEPARTMENTS}/${department.id}`)).body.data).toEqual(before);
  });

  it('is refused whatever the case of the path', async () => {
    const { id } = await tenant.department();
    const answer = await tenant.owner.api.put(`/API/v1/departments/${id}`, { max_queue: 5 });
    expectFailure(answer, 422, { code: 'unknown_field', field: 'max_queue' });
  });

  it.each([
    'des',
    'nm_of',
    'color',
    'date',
    'note',
    'department_id',
    '__proto__',
    'max_queue_size'.repeat(5),
  ])('%s is near to none, and is dropped', async (field) => {
    const body = JSON.parse(`{"name": "Fine", "${field}": 5}`);
    expectStatus(await tenant.owner.api.post(DEPARTMENTS, body), 201);
  });

  it.each(['departments', 'Department', 'deparment'])(
    'can be the wrapper of a resource: %s',
    async (wrapper) => {
      const { id } = await tenant.department({ max_queue_size: 9 });
      const answer = await tenant.owner.api.put(`${DEPARTMENTS}/${id}`, { [wrapper]: { max_queue_size: 5 } });
      expectFailure(answer, 422, { code: 'unknown_field', field: wrapper });
      expect(answer.body.errors.fields[wrapper]).toEqual(['is unknown; did you mean department?']);
      expect((await tenant.owner.api.get(`${DEPARTMENTS}/${id}`)).body.data.max_queue_size).toBe(9);
    },
  );

  it.each([{ department: null }, { departments: 'x' }])('is no wrapper in %j', async (unknown) => {
    expectStatus(await tenant.owner.api.post(DEPARTMENTS, { name: 'Flat', ...unknown }), 201);
  });

  it('is named with its place in a list', async () => {
    const department = await tenant.department();
    const links = [{ department_id: department.id }, { department_id: department.id, lable: 'x' }];
    const answer = await tenant.owner.api.post('/api/v1/access-links/batch', { links });
    expectFailure(answer, 422, { code: 'unknown_field', field: 'links.1.lable' });
    expect((await tenant.owner.api.get('/api/v1/access-links')).body.meta.total_count).toBe(0);
  });

  it('is not looked for among free fields', async () => {
    const body = { name: 'Caio', metadata: { nam: 'x', emails: 'y' } };
    expectStatus(await tenant.owner.api.post('/api/v1/customers', body), 201);
  });

  it('is looked for among few of many unknown ones', async () => {
    const unknown = Array.from({ length: 900 }, (_value, index) => [`unknown_field_number_${index}`, 1]);
    const body = { ...Object.fromEntries(unknown), nmae: 'x', name: 'Many' };
    expectStatus(await tenant.owner.api.post(DEPARTMENTS, body), 201);
  });

  it('is dropped from public requests and logins', async () => {
    const { link } = await tenant.queue();
    expectStatus(await test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Caio', emial: 'x' }), 200);
    expectStatus(await (await tenant.member()).api.post('/api/auth/logout', { refresh_tokn: 'x' }), 204);
  });

  it('is not told to a user who may not use the route', async () => {
    const { api } = await tenant.member('attendant');
    expectFailure(await api.post(DEPARTMENTS, { nmae: 'x' }), 403, { code: 'forbidden' });
  });
});

describe('the answer of a resource', () => {
  it('can be sent back as it is, in a PUT and in a POST', async () => {
    const department = (await tenant.owner.api.get(`${DEPARTMENTS}/${(await tenant.department()).id}`)).body
      .data;
    const answer = await tenant.owner.api.put(`${DEPARTMENTS}/${department.id}`, department);
    expect(answer.body.data).toEqual({ ...department, updated_at: expect.any(String) });
    const copy = { ...department, identifier: null, name: 'Copy', active: false };
    expect((await tenant.owner.api.post(DEPARTMENTS, copy)).body.data).toMatchObject({
      name: 'Copy',
      active: true,
    });
    const user = (await tenant.owner.api.get(`${USERS}/me`)).body.data;
    expectStatus(await tenant.owner.api.put(`${USERS}/${user.id}`, user), 200);
  });
});

describe('department_id of a user', () => {
  it('is the same as department_ids with one, in all requests', async () => {
    const [one, two] = [await tenant.department(), await tenant.department()];
    const input = { name: 'Nina', email: 'nina.d@example.com', role: 'attendant', department_id: one.id };
    const created = await tenant.owner.api.post(USERS, input);
    expect(created.body.data.department_ids).toEqual([one.id]);
    const path = `${USERS}/${created.body.data.id}`;
    const put = (body: Json) => tenant.owner.api.put(path, body);
    expect((await put({ department_id: two.id })).body.data.department_ids).toEqual([two.id]);
    expect((await put({ name: 'Nora' })).body.data.department_ids).toEqual([two.id]);
    expect((await put({ department_id: one.id, department_ids: [] })).body.data.department_ids).toEqual([]);
    expectFailure(await put({ department_id: someId() }), 422);
    const batch = await tenant.owner.api.post(`${USERS}/batch`, {
      users: [{ ...input, email: 'nina.e@example.com' }],
    });
    expect(batch.body.data[0].department_ids).toEqual([one.id]);
  });
});
