/** A skill that an agent needs, while it is edited. */
export interface RequiredSkillValue {
  skill_id: string;
  min_level: number | string;
}

/** @returns what the service takes */
export const requiredSkills = (values: readonly RequiredSkillValue[]) =>
  values.map(({ skill_id, min_level }) => ({ skill_id, min_level: Number(min_level) }));
