import { expectStatus, someId, type TestTenant } from '../builders';

/** Creates a skill. @returns its id */
export async function createSkill(tenant: TestTenant, name = `Skill ${someId()}`): Promise<string> {
  const answer = await tenant.owner.api.post('/api/v1/skills', { name });
  expectStatus(answer, 201);
  return answer.body.data.id;
}

/** Gives the user exactly these skills. @param levels the levels by the ids of the skills */
export async function giveSkills(
  tenant: TestTenant,
  userId: string,
  levels: Record<string, number>,
): Promise<void> {
  const skills = Object.entries(levels).map(([skill_id, level]) => ({ skill_id, level }));
  expectStatus(await tenant.owner.api.put(`/api/v1/users/${userId}/skills`, { skills }), 200);
}
