import { CUSTOMER_SORTABLE } from '../../../src/customers/customer.dto';
import { DEPARTMENT_SORTABLE } from '../../../src/departments/department.dto';
import { Database } from '../../../src/platform/database/database';
import { Filter } from '../../../src/platform/database/filter';
import { pageStatement } from '../../../src/platform/database/list-statements';
import { SKILL_SORTABLE } from '../../../src/routing/skills/skill.dto';
import { TAG_SORTABLE } from '../../../src/tags/tag.dto';
import type { Json } from '../../support/http/api';
import { expectStatus, type Member, PASSWORD, TestTenant } from '../../support/builders';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';

/** In the order of the Unicode Collation Algorithm. By bytes, "Zoë" would precede "ana", and "Élcio" be the last one. */
const NAMES = ['ana', 'Ana', 'Álvaro', 'Bruno', 'elcio', 'Élcio', 'Zoë'].toSorted(
  new Intl.Collator('und').compare,
);

let test: TestApp;
let tenant: TestTenant;
let owner: Member['api'];
let department: Json;
let call: Json;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  owner = tenant.owner.api;
  const queue = await tenant.queue({ name: 'Bruno' });
  department = queue.department;
  call = await tenant.join(queue.link, { name: 'Bruno' });
  for (const name of NAMES.toReversed()) await createEach(name);
});

afterAll(() => test.close());

/** Creates a record of each kind with this name. Two tags with one parent may not differ in case alone. */
async function createEach(name: string): Promise<void> {
  const number = NAMES.indexOf(name);
  const user = { name, email: `n${number}@example.com`, role: 'attendant', password: PASSWORD };
  const parent_id = number % 2 ? null : (await create('tags', { name: `~${number}` })).id;
  const tag = await create('tags', { name, parent_id });
  await create(`calls/${call.call_id}/tags`, { tag_id: tag.id });
  await create('users', { ...user, department_ids: [department.id] });
  await create('customers', { name });
  await create('canned-replies', { title: name, text: name });
  const { id } = await create('departments', { name });
  await tenant.join(await tenant.link(id, { label: name }), { name });
}

async function create(path: string, body: Json): Promise<Json> {
  const answer = await owner.post(`/api/v1/${path}`, body);
  expectStatus(answer, 201);
  return answer.body.data;
}

/** The values of a field in the rows, without those of other records and without repetitions. */
const namesIn = (rows: Json[], field = 'name') => [
  ...new Set(rows.map((row) => row[field]).filter((name) => NAMES.includes(name))),
];

const list = async (path: string) => {
  const answer = await owner.get(`/api/v1/${path}`);
  expectStatus(answer, 200);
  return answer.body.data;
};

it('differs from the order of bytes', () => {
  expect(NAMES).not.toEqual(NAMES.toSorted());
});

it.each([
  ['departments', 'name'],
  ['customers', 'name'],
  ['users', 'name'],
  ['tags', 'name'],
  ['canned-replies', 'title'],
  ['calls', 'customer_name'],
  ['calls', 'department_name'],
  ['access-links', 'department_name'],
  ['access-links', 'label'],
])('is the order of %s by %s', async (path, field) => {
  const query = `${path}?sort_by=${field}&page_size=100`;
  expect(namesIn(await list(`${query}&sort_order=asc`), field)).toEqual(NAMES);
  expect(namesIn(await list(`${query}&sort_order=desc`), field)).toEqual(NAMES.toReversed());
});

it('is the order of members, of the tags of a call and of the tag tree', async () => {
  expect(namesIn(await list(`departments/${department.id}/users`))).toEqual(NAMES);
  expect(namesIn((await list(`calls/${call.call_id}`)).tags)).toEqual(NAMES);
  const roots = namesIn(await list('tags/tree'));
  expect(roots).toEqual(NAMES.filter((name) => roots.includes(name)));
});

it.each([
  ['departments d', 'd', DEPARTMENT_SORTABLE],
  ['customers c', 'c', CUSTOMER_SORTABLE],
  ['tags t', 't', TAG_SORTABLE],
  ['skills s', 's', SKILL_SORTABLE],
])('is the order of an index of %s', async (from, alias, sortable) => {
  const filter = new Filter().and(`${alias}.tenant_id = ?`, tenant.id);
  const { text, values } = pageStatement(
    { select: `${alias}.*`, from, filter, sortable, id: `${alias}.id` },
    { page: 1, page_size: 20, sort_by: 'name', sort_order: 'asc' },
  );
  const plan = await test.get(Database).tenant(tenant.id, async (tx) => {
    // A table of this size would be sorted, whether or not there is an index.
    await tx.query('SET LOCAL enable_sort = off');
    return JSON.stringify(await tx.query(`EXPLAIN ${text}`, values));
  });
  expect(plan).toContain(`Index Scan using ${from.split(' ')[0]}_name_idx`);
  expect(plan).not.toContain('Sort');
});
