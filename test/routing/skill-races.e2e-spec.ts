import type { Answer, Json } from '../support/http/api';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { createSkill, giveSkills } from '../support/contexts/skills';
import { expectFailure } from '../support/database/failures';
import { expectNoRetries, startWaiting } from '../support/database/lock-order';
import { raceRounds } from '../support/race-rounds';
import { startTestApp, type TestApp, withConnectionPool } from '../support/test-app';

const ROUNDS = raceRounds(30);
const MAX_SKILLS = 200;

let test: TestApp;
let tenant: TestTenant;
let owner: Member['api'];
let department: Json;

beforeAll(async () => {
  test = withConnectionPool(await startTestApp());
  tenant = await TestTenant.register(test);
  owner = tenant.owner.api;
  department = await tenant.department();
});

afterAll(() => test.close());

expectNoRetries(() => [test]);

const deleteSkill = (id: string) => owner.delete(`/api/v1/skills/${id}`);
const createLink = (skill_id: string) =>
  owner.post('/api/v1/access-links', { department_id: department.id, skills: [{ skill_id, min_level: 1 }] });
const createBatch = (skill_id: string) =>
  owner.post('/api/v1/access-links/batch', {
    links: [{ department_id: department.id, skills: [{ skill_id, min_level: 1 }] }],
  });
const put = (userId: string, levels: [skill: string, level: number][]) =>
  owner.put(`/api/v1/users/${userId}/skills`, {
    skills: levels.map(([skill_id, level]) => ({ skill_id, level })),
  });

/** The levels by the ids of the skills. */
const levelsOf = (skills: Json[]) =>
  Object.fromEntries(skills.map(({ skill_id, level }: Json) => [skill_id, level]));

/** Expects that the skill exists with its link, or that neither does. */
async function expectOneWinner(skill: string, deleted: Answer, linked: Answer, field: string): Promise<void> {
  if (linked.status === 201) {
    expectFailure(deleted, 422, { code: 'skill_in_use' });
    const { id, skills } = [linked.body.data].flat()[0];
    expect(skills).toEqual([{ skill_id: skill, min_level: 1 }]);
    expect((await owner.get(`/api/v1/access-links/${id}`)).body.data.skills).toEqual(skills);
  } else {
    expectFailure(linked, 422, { code: 'validation_failed', field });
    expectStatus(deleted, 204);
  }
}

it('creates one skill when concurrent requests use the same name', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const names = ['race', 'Race', 'RACE'].map((name) => `${name} ${round}`);
    const answers = await Promise.all(names.map((name) => owner.post('/api/v1/skills', { name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    for (const answer of answers.filter(({ status }) => status === 422)) {
      expectFailure(answer, 422, { code: 'validation_failed', field: 'name' });
    }
    const created = answers.find(({ status }) => status === 201)?.body.data.id;
    expectStatus(await deleteSkill(created), 204);
  }
});

it('creates no more than 200 skills of a tenant, even by concurrent requests', async () => {
  const full = await TestTenant.register(test);
  await test.db.query(
    `INSERT INTO skills (tenant_id, name) SELECT $1, 'Skill ' || n FROM generate_series(1, $2::int) AS n`,
    [full.id, MAX_SKILLS - 1],
  );
  const create = (name: string) => full.owner.api.post('/api/v1/skills', { name });
  const answers = await startWaiting(
    test,
    full,
    ['SELECT FROM tenants WHERE id = $1 FOR UPDATE', full.id],
    ['A', 'B', 'C'].map((name) => () => create(name)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  expectFailure(await create('D'), 422, { code: 'too_many_skills' });
  await createSkill(tenant, 'D');
});

it('renames at most one of two skills to a name, also when they exchange names', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b] = [await createSkill(tenant, `a ${round}`), await createSkill(tenant, `b ${round}`)];
    const rename = (id: string, name: string) => owner.put(`/api/v1/skills/${id}`, { name });
    const same = await Promise.all([rename(a, `c ${round}`), rename(b, `C ${round}`)]);
    expect(same.map(({ status }) => status).sort()).toEqual([200, 422]);
    const [exchanged, again] = await Promise.all([rename(a, `b ${round}`), rename(b, `a ${round}`)]);
    for (const { status } of [exchanged, again]) expect([200, 422]).toContain(status);
    for (const id of [a, b]) expectStatus(await deleteSkill(id), 204);
  }
});

describe('a skill that is deleted while a link with it is created', () => {
  it.each([
    ['singly', createLink, 'skills'],
    ['in a batch', createBatch, 'links.0.skills'],
  ])('%s stays, or the link is rejected', async (_how, create, field) => {
    for (let round = 0; round < ROUNDS; round++) {
      const skill = await createSkill(tenant);
      const [deleted, linked] = await Promise.all([deleteSkill(skill), create(skill)]);
      await expectOneWinner(skill, deleted, linked, field);
    }
  });

  it.each([
    ['singly', createLink, 'skills'],
    ['in a batch', createBatch, 'links.0.skills'],
  ])('%s waits for the one that began first', async (_how, create, field) => {
    for (const isDeletedFirst of [true, false]) {
      const skill = await createSkill(tenant);
      const steps = [() => deleteSkill(skill), () => create(skill)];
      const answers = await startWaiting(
        test,
        tenant,
        ['SELECT FROM skills WHERE id = $1 FOR UPDATE', skill],
        isDeletedFirst ? steps : steps.toReversed(),
      );
      const [deleted, linked] = isDeletedFirst ? answers : answers.toReversed();
      expect(linked.status).toBe(isDeletedFirst ? 422 : 201);
      await expectOneWinner(skill, deleted, linked, field);
    }
  });
});

it('gives a user the skills of one of two concurrent requests, never a mixture', async () => {
  const [a, b, c] = [await createSkill(tenant), await createSkill(tenant), await createSkill(tenant)];
  const { id } = await tenant.member();
  const lists: [skill: string, level: number][][] = [
    [
      [a, 1],
      [b, 1],
    ],
    [
      [c, 2],
      [b, 2],
    ],
  ];
  for (let round = 0; round < ROUNDS; round++) {
    expectStatus(await put(id, []), 200);
    // Both wait for a skill that they have in common, and go on at the same moment.
    const answers = await startWaiting(
      test,
      tenant,
      ['SELECT FROM skills WHERE id = $1 FOR UPDATE', b],
      lists.map((list) => () => put(id, list)),
    );
    for (const answer of answers) expectStatus(answer, 200);
    const stored = levelsOf((await owner.get(`/api/v1/users/${id}`)).body.data.skills);
    expect([
      { [a]: 1, [b]: 1 },
      { [b]: 2, [c]: 2 },
    ]).toContainEqual(stored);
  }
});

it('keeps no deleted skill of a user whose skills are replaced at the same time', async () => {
  const { id } = await tenant.member();
  for (let round = 0; round < ROUNDS; round++) {
    const [deleted, kept] = [await createSkill(tenant), await createSkill(tenant)];
    await giveSkills(tenant, id, { [deleted]: 1, [kept]: 1 });
    const [deletion, same, without] = await Promise.all([
      deleteSkill(deleted),
      put(id, [
        [deleted, 2],
        [kept, 2],
      ]),
      put(id, [[kept, 3]]),
    ]);
    expectStatus(deletion, 204);
    expectStatus(without, 200);
    if (same.status !== 200) expectFailure(same, 422, { field: 'skills' });
    const { skills } = (await owner.get(`/api/v1/users/${id}`)).body.data;
    expect(skills.map(({ skill_id }: Json) => skill_id)).toEqual([kept]);
    expectStatus(await deleteSkill(kept), 204);
  }
});
