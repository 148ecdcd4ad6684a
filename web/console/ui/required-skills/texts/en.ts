const en = {
  priority: 'Priority',
  priorityHint: '0 to 9. Customers with a higher priority wait less.',
  skills: 'Skills that an agent needs',
  noSkills: 'None: any agent of the department',
  skill: (n: number) => `Skill ${n}`,
  minLevel: (n: number) => `Lowest level of skill ${n}`,
  removeSkill: (n: number) => `Remove skill ${n}`,
  addSkill: 'Add a skill',
};

export default en;
export type RequiredSkillTexts = typeof en;
