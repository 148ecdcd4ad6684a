import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const DEPARTMENTS = '/api/v1/departments';

let test: TestApp;
let tenant: TestTenant;
let owner: Member['api'];
let target: Json;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  owner = tenant.owner.api;
  target = await tenant.department();
});

afterAll(() => test.close());

const put = (id: string, department: Json) => owner.put(`${DEPARTMENTS}/${id}`, { department });
const get = async (id: string): Promise<Json> => (await owner.get(`${DEPARTMENTS}/${id}`)).body.data;
const remove = (id: string) => owner.delete(`${DEPARTMENTS}/${id}`);

describe('the overflow of a department', () => {
  it('has a time and a department, each of which can be set and removed', async () => {
    const overflow = { overflow_after: 86_400, overflow_department_id: target.id };
    const created = await tenant.department(overflow);
    expect(created).toMatchObject(overflow);
    expect((await put(created.id, { overflow_after: 0 })).body.data).toMatchObject({
      overflow_after: 0,
      overflow_department_id: target.id,
    });
    expect((await put(created.id, { overflow_department_id: null })).body.data).toMatchObject({
      overflow_after: 0,
      overflow_department_id: null,
    });
    expect((await put(created.id, { overflow_after: null })).body.data).toMatchObject({
      overflow_after: null,
      overflow_department_id: null,
    });
  });

  it.each<[string, string, () => Json]>([
    ['a negative time', 'overflow_after', () => ({ overflow_after: -1 })],
    ['more than a day', 'overflow_after', () => ({ overflow_after: 86_401 })],
    [
      'a department that does not exist',
      'overflow_department_id',
      () => ({ overflow_department_id: someId() }),
    ],
  ])('cannot have %s', async (_name, field, input) => {
    const { id } = await tenant.department();
    const refused = { field };
    expectFailure(await put(id, input()), 422, refused);
    expectFailure(await owner.post(DEPARTMENTS, { department: { name: 'A', ...input() } }), 422, refused);
  });

  it('cannot be to the department itself, or to one of another company', async () => {
    const { id } = await tenant.department();
    expectFailure(await put(id, { overflow_department_id: id }), 422, { field: 'overflow_department_id' });
    const foreign = await (await TestTenant.register(test)).department();
    const answer = await put(id, { overflow_department_id: foreign.id });
    expectFailure(answer, 422, { field: 'overflow_department_id' });
    expect((await get(id)).overflow_department_id).toBeNull();
  });

  it('ends when its department is deleted, which is recorded as a change', async () => {
    const gone = await tenant.department();
    const overflow = { overflow_after: 60, overflow_department_id: gone.id };
    const { id } = await tenant.department(overflow);
    const other = await tenant.department({ ...overflow, overflow_department_id: target.id });
    expectStatus(await remove(gone.id), 204);
    expect(await get(id)).toMatchObject({ overflow_after: 60, overflow_department_id: null });
    expect((await get(other.id)).overflow_department_id).toBe(target.id);
    const { rows } = await test.db.query(
      `SELECT payload->'changed' AS changed FROM domain_events WHERE subject_id = $1 AND type = 'department.updated'`,
      [id],
    );
    expect(rows).toEqual([{ changed: ['overflow_department_id'] }]);
  });

  it('can be mutual, and both departments can be deleted at the same time', async () => {
    const one = await tenant.department();
    const two = await tenant.department({ overflow_department_id: one.id });
    expectStatus(await put(one.id, { overflow_department_id: two.id }), 200);
    const answers = await Promise.all([remove(one.id), remove(two.id)]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
  });
});
