import { AccessLinkResolver } from '../../src/access-links/access-link-resolver';
import { Database } from '../../src/platform/database/database';
import type { Json } from '../support/http/api';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { createSkill, giveSkills } from '../support/contexts/skills';
import { expectFailure } from '../support/database/failures';
import { oneTo } from '../support/database/rows';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const LINKS = '/api/v1/access-links';

let test: TestApp;
let tenant: TestTenant;
let other: TestTenant;
let owner: Member['api'];
let department: Json;
let agent: Member;
let english: string;
let billing: string;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  other = await TestTenant.register(test);
  owner = tenant.owner.api;
  department = await tenant.department();
  agent = await tenant.member('attendant', [department.id]);
  [english, billing] = [await createSkill(tenant), await createSkill(tenant)];
});

beforeEach(() => giveSkills(tenant, agent.id, { [english]: 3 }));

afterAll(() => test.close());

const required = (levels: Record<string, number>) =>
  Object.entries(levels).map(([skill_id, min_level]) => ({ skill_id, min_level }));
const create = (skills: unknown, input: Json = {}) =>
  owner.post(LINKS, { department_id: department.id, skills, ...input });
const createBatch = (links: Json[]) =>
  owner.post(`${LINKS}/batch`, { links: links.map((link) => ({ department_id: department.id, ...link })) });

/** Sorts as the API does. */
const bySkill = (skills: Json[]) => skills.toSorted((one, next) => (one.skill_id < next.skill_id ? -1 : 1));

const WARNING = { code: 'skills_not_covered', detail: expect.stringMatching(/\.$/) };

describe('the skills of a link', () => {
  it('are in the link, in the list and in the terms of a join', async () => {
    const skills = bySkill(required({ [english]: 3, [billing]: 1 }));
    const answer = await create(skills.toReversed(), { priority: 7 });
    expectStatus(answer, 201);
    const link = answer.body.data;
    expect(link).toMatchObject({ priority: 7, skills });
    expect((await owner.get(`${LINKS}/${link.id}`)).body.data).toEqual(link);
    expect((await owner.get(LINKS)).body.data).toContainEqual(link);
    const terms = await test.get(Database).tenant(tenant.id, async (tx) => ({
      ...(await test.get(AccessLinkResolver).use(tx, link.id)),
      skills: await test.get(AccessLinkResolver).lockSkills(tx, link.id),
    }));
    expect(terms).toMatchObject({ priority: 7, skills });
  });

  it.each<[unknown]>([[undefined], [null], [[]]])('are none when they are %j', async (skills) => {
    const answer = await create(skills, { priority: null });
    expect(answer).toMatchObject({ status: 201, body: { data: { skills: [], priority: 0 } } });
    expect(answer.body).not.toHaveProperty('meta');
  });

  it.each<[string, unknown]>([
    ['a text', 'english'],
    ['a list of ids', [someId()]],
    ['a list of null', [null]],
    ['a skill without a level', [{ skill_id: someId() }]],
    ['a level below 1', [{ skill_id: someId(), min_level: 0 }]],
    ['a level above 5', [{ skill_id: someId(), min_level: 6 }]],
    ['an id that is not a UUID', [{ skill_id: 'english', min_level: 3 }]],
    ['an unknown skill', [{ skill_id: someId(), min_level: 3 }]],
    ['more than 20 skills', oneTo(21).map(() => ({ skill_id: someId(), min_level: 1 }))],
  ])('cannot be %s', async (_what, skills) => {
    const answer = await create(skills);
    expectFailure(answer, 422, { code: 'validation_failed' });
    expect(Object.keys(answer.body.errors.fields)[0]).toMatch(/^skills(\.0(\.\w+)?)?$/);
  });

  it('cannot contain a skill twice, in lower and upper case, or one of another tenant', async () => {
    const twice = [english, english.toUpperCase()].map((skill_id) => ({ skill_id, min_level: 1 }));
    expectFailure(await create(twice), 422, { field: 'skills' });
    const foreign = await createSkill(other);
    expectFailure(await create(required({ [english]: 1, [foreign]: 1 })), 422, { field: 'skills' });
    expectFailure(await createBatch([{}, { skills: required({ [foreign]: 1 }) }]), 422, {
      field: 'links.1.skills',
    });
  });

  it('of each link of a batch are stored', async () => {
    const sets = [{ [english]: 1 }, {}, { [english]: 2, [billing]: 5 }].map(required);
    const answer = await createBatch(sets.map((skills, priority) => ({ skills, priority })));
    expectStatus(answer, 201);
    expect(answer.body.data.map(({ skills }: Json) => skills)).toEqual(sets.map(bySkill));
    expect(answer.body.data.map(({ priority }: Json) => priority)).toEqual([0, 1, 2]);
  });
});

describe('a warning about skills that are not covered', () => {
  it('depends on the levels of one active member, who needs all skills', async () => {
    const colleague = await tenant.member('attendant', [department.id]);
    await giveSkills(tenant, colleague.id, { [billing]: 5 });
    expect((await create(required({ [english]: 3 }))).body).not.toHaveProperty('meta');
    expect((await create(required({ [english]: 4 }))).body.meta).toEqual({ warnings: [WARNING] });
    const both = required({ [english]: 1, [billing]: 1 });
    const warned = await create(both);
    expect(warned.body.meta).toEqual({ warnings: [WARNING] });

    const read = async () => (await owner.get(`${LINKS}/${warned.body.data.id}`)).body;
    expect(await read()).toEqual({ data: warned.body.data, meta: { warnings: [WARNING] } });
    await giveSkills(tenant, colleague.id, { [english]: 1, [billing]: 1 });
    expect(await read()).toEqual({ data: warned.body.data });
    expect((await create(both)).body).not.toHaveProperty('meta');

    expectStatus(await owner.put(`/api/v1/users/${colleague.id}`, { active: false }), 200);
    expect((await create(both)).body.meta).toEqual({ warnings: [WARNING] });
    expectStatus(await owner.put(`/api/v1/users/${colleague.id}`, { active: true }), 200);
    expect((await create(both)).body).not.toHaveProperty('meta');
    expectStatus(await owner.put(`/api/v1/users/${colleague.id}`, { department_ids: [] }), 200);
    expect((await create(both)).body.meta).toEqual({ warnings: [WARNING] });
  });

  it('is not given for a link that is no longer active', async () => {
    const { id } = (await create(required({ [billing]: 5 }))).body.data;
    expectStatus(await owner.post(`${LINKS}/${id}/cancel`), 200);
    expect((await owner.get(`${LINKS}/${id}`)).body).not.toHaveProperty('meta');
  });

  it('names the links of a batch by their positions', async () => {
    const empty = await tenant.department();
    const answer = await createBatch([
      { skills: required({ [english]: 3 }) },
      { skills: required({ [billing]: 1 }) },
      {},
      { skills: required({ [english]: 3 }), department_id: empty.id },
      { skills: required({ [billing]: 1 }) },
    ]);
    expectStatus(answer, 201);
    expect(answer.body.meta).toEqual({ warnings: [1, 3, 4].map((index) => ({ ...WARNING, index })) });
    expect((await createBatch([{ skills: required({ [english]: 1 }) }, {}])).body).not.toHaveProperty('meta');
  });
});
