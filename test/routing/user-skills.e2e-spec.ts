import type { Json } from '../support/http/api';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { createSkill, giveSkills } from '../support/contexts/skills';
import { expectFailure } from '../support/database/failures';
import { oneTo } from '../support/database/rows';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let other: TestTenant;
let owner: Member['api'];
let english: string;
let spanish: string;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  other = await TestTenant.register(test);
  owner = tenant.owner.api;
  [english, spanish] = [await createSkill(tenant, 'english'), await createSkill(tenant, 'Spanish')];
});

afterAll(() => test.close());

const put = (userId: string, skills: unknown, { api }: Member = tenant.owner) =>
  api.put(`/api/v1/users/${userId}/skills`, { skills });
const skillsOf = async (id: string): Promise<Json[]> =>
  (await owner.get(`/api/v1/users/${id}`)).body.data.skills;

/** The skill ids of the user's user.skills_changed events, oldest first. */
async function changedSkills(userId: string): Promise<string[][]> {
  const { rows } = await test.db.query(
    `SELECT payload->'skill_ids' AS ids FROM domain_events
     WHERE subject_id = $1 AND type = 'user.skills_changed' ORDER BY id`,
    [userId],
  );
  return rows.map(({ ids }) => ids.toSorted());
}

describe('the skills of a user', () => {
  it('are replaced by a supervisor and are in the details, the list and the own account', async () => {
    const member = await tenant.member();
    const answer = await put(
      member.id,
      [
        { skill_id: spanish, level: 1 },
        { skill_id: english, level: 5, name: 'ignored' },
      ],
      await tenant.member('supervisor'),
    );
    expect(answer.status).toBe(200);
    const skills = [
      { skill_id: english, name: 'english', level: 5 },
      { skill_id: spanish, name: 'Spanish', level: 1 },
    ];
    expect(answer.body).toEqual({ data: skills });
    expect(await skillsOf(member.id)).toEqual(skills);
    expect((await member.api.get('/api/v1/users/me')).body.data.skills).toEqual(skills);
    const list = (await owner.get(`/api/v1/users?search=${member.email}`)).body.data;
    expect(list.map((user: Json) => user.skills)).toEqual([skills]);

    expect((await put(member.id, [{ skill_id: spanish, level: 2 }])).body.data).toEqual([
      { skill_id: spanish, name: 'Spanish', level: 2 },
    ]);
    expect((await put(member.id, [])).body).toEqual({ data: [] });
    expect(await skillsOf(member.id)).toEqual([]);
    const both = [english, spanish].toSorted();
    expect(await changedSkills(member.id)).toEqual([both, both, [spanish]]);
  });

  it('cause no event when they stay the same', async () => {
    const { id } = await tenant.member();
    await giveSkills(tenant, id, { [english]: 3 });
    await giveSkills(tenant, id, { [english.toUpperCase()]: 3 });
    expect(await changedSkills(id)).toEqual([[english]]);
  });

  it('keep their levels when other fields of the user change', async () => {
    const { id } = await tenant.member();
    await giveSkills(tenant, id, { [english]: 4 });
    expectStatus(await owner.put(`/api/v1/users/${id}`, { name: 'Renamed', skills: [] }), 200);
    expect(await skillsOf(id)).toEqual([{ skill_id: english, name: 'english', level: 4 }]);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'english'],
    ['an object', { skill_id: someId(), level: 1 }],
    ['a list of ids', [someId()]],
    ['a list of null', [null]],
    ['a skill without a level', [{ skill_id: someId() }]],
    ['a level below 1', [{ skill_id: someId(), level: 0 }]],
    ['a level above 5', [{ skill_id: someId(), level: 6 }]],
    ['a fractional level', [{ skill_id: someId(), level: 1.5 }]],
    ['a text as the level', [{ skill_id: someId(), level: '3' }]],
    ['an id that is not a UUID', [{ skill_id: 'english', level: 3 }]],
    ['an unknown skill', [{ skill_id: someId(), level: 3 }]],
    ['more than 50 skills', oneTo(51).map(() => ({ skill_id: someId(), level: 1 }))],
  ])('cannot be %s', async (_what, skills) => {
    const { id } = await tenant.member();
    await giveSkills(tenant, id, { [english]: 2 });
    const answer = await put(id, skills);
    expectFailure(answer, 422, { code: 'validation_failed' });
    expect(Object.keys(answer.body.errors.fields)[0]).toMatch(/^skills(\.0(\.\w+)?)?$/);
    expect(await skillsOf(id)).toMatchObject([{ skill_id: english, level: 2 }]);
  });

  it('cannot contain a skill twice, in lower and upper case, or one of another tenant', async () => {
    const { id } = await tenant.member();
    const twice = [english, english.toUpperCase()].map((skill_id) => ({ skill_id, level: 1 }));
    expectFailure(await put(id, twice), 422, { field: 'skills' });
    const foreign = await createSkill(other);
    expectFailure(await put(id, [{ skill_id: foreign, level: 1 }]), 422, { field: 'skills' });
    expect(await skillsOf(id)).toEqual([]);
  });

  it('of an unknown user or one of another tenant are 404, whatever the skills', async () => {
    for (const id of [someId(), other.owner.id]) {
      for (const skill_id of [english, someId()]) {
        expectFailure(await put(id, [{ skill_id, level: 1 }]), 404, { code: 'not_found' });
      }
    }
    expectFailure(await owner.put('/api/v1/users/x/skills', { skills: [] }), 400, { field: 'id' });
    expect((await other.owner.api.get('/api/v1/users/me')).body.data.skills).toEqual([]);
  });
});
