import type { Json } from '../support/http/api';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { createSkill, giveSkills } from '../support/contexts/skills';
import { expectFailure } from '../support/database/failures';
import { raceRounds } from '../support/race-rounds';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let owner: Member['api'];
let department: Json;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  owner = tenant.owner.api;
  department = await tenant.department();
});

afterAll(() => test.close());

const deleteSkill = (id: string) => owner.delete(`/api/v1/skills/${id}`);
const linkWith = (skill_id: string, input: Json = {}) =>
  tenant.link(department.id, { skills: [{ skill_id, min_level: 1 }], ...input });
const inSeconds = (seconds: number) => new Date(test.clock.now().getTime() + seconds * 1000).toISOString();

describe('deleting a skill', () => {
  it('removes it from users', async () => {
    const [lost, kept] = [await createSkill(tenant), await createSkill(tenant)];
    const { id } = await tenant.member();
    await giveSkills(tenant, id, { [lost]: 1, [kept]: 2 });
    const answer = await deleteSkill(lost);
    expect([answer.status, answer.body]).toEqual([204, '']);
    expectFailure(await owner.get(`/api/v1/skills/${lost}`), 404);
    const { skills } = (await owner.get(`/api/v1/users/${id}`)).body.data;
    expect(skills).toEqual([{ skill_id: kept, name: expect.any(String), level: 2 }]);
  });

  it('is rejected while an active link requires it, and changes nothing', async () => {
    const skill = await createSkill(tenant);
    await giveSkills(tenant, tenant.owner.id, { [skill]: 3 });
    const link = await linkWith(skill);
    expectFailure(await deleteSkill(skill), 422, { code: 'skill_in_use' });
    const read = (await owner.get(`/api/v1/access-links/${link.id}`)).body.data;
    expect(read.skills).toEqual([{ skill_id: skill, min_level: 1 }]);
    expect((await owner.get('/api/v1/users/me')).body.data.skills).toMatchObject([{ skill_id: skill }]);
    expectStatus(await owner.post(`/api/v1/access-links/${link.id}/cancel`), 200);
    expectStatus(await deleteSkill(skill), 204);
    expect((await owner.get(`/api/v1/access-links/${link.id}`)).body.data.skills).toEqual([]);
  });

  it('is possible as soon as all links with it are used up or expired', async () => {
    const skill = await createSkill(tenant);
    const used = await linkWith(skill, { max_uses: 1 });
    await linkWith(skill, { expires_at: inSeconds(60) });
    const { call_id } = await tenant.join(used);
    expectStatus(await owner.post(`/api/v1/calls/${call_id}/complete`), 200);
    expectFailure(await deleteSkill(skill), 422, { code: 'skill_in_use' });
    test.clock.advance(61);
    expectStatus(await deleteSkill(skill), 204);
  });

  it('is rejected until all calls with it have ended, wherever they got it from', async () => {
    const skill = await createSkill(tenant);
    const { call_id: joined } = await tenant.join(await linkWith(skill, { max_uses: 1 }));
    const { call_id: edited } = await tenant.join(await tenant.link(department.id));
    const skills = [{ skill_id: skill, min_level: 4 }];
    expectStatus(await owner.put(`/api/v1/calls/${edited}`, { skills }), 200);
    for (const [id, action] of [
      [joined, 'assign'],
      [joined, 'complete'],
      [edited, 'start'],
    ]) {
      expectFailure(await deleteSkill(skill), 422, { code: 'skill_in_use' });
      expectStatus(await owner.post(`/api/v1/calls/${id}/${action}`), 200);
    }
    expectFailure(await deleteSkill(skill), 422, { code: 'skill_in_use' });
    expectStatus(await owner.post(`/api/v1/calls/${edited}/complete`), 200);
    expectStatus(await deleteSkill(skill), 204);
    const { body } = await owner.get(`/api/v1/calls/${joined}`);
    expect(body.data.skills).toEqual([{ skill_id: skill, min_level: 1 }]);
  });

  it('never succeeds while the last use of a link becomes a call', async () => {
    for (let round = 0; round < raceRounds(100); round++) {
      const skill = await createSkill(tenant);
      const link = await linkWith(skill, { max_uses: 1 });
      const [entry, ...deletions] = await Promise.all([
        tenant.join(link),
        deleteSkill(skill),
        deleteSkill(skill),
        deleteSkill(skill),
      ]);
      for (const answer of deletions) expectFailure(answer, 422, { code: 'skill_in_use' });
      expectStatus(await owner.post(`/api/v1/calls/${entry.call_id}/complete`), 200);
    }
  });

  it('is possible when the department of the links was deleted', async () => {
    const skill = await createSkill(tenant);
    const { id } = await tenant.department();
    await tenant.link(id, { skills: [{ skill_id: skill, min_level: 5 }] });
    expectStatus(await owner.delete(`/api/v1/departments/${id}`), 204);
    expectStatus(await deleteSkill(skill), 204);
  });
});
