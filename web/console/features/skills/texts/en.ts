const en = {
  title: 'Skills',
  intro: 'A link can require skills. Its calls are offered to agents who have them.',
  empty: 'There are no skills yet. Languages and products are good examples.',
  name: 'Name',
  since: 'Created',
  create: 'New skill',
  edit: (name: string) => `Skill ${name}`,
  deleteQuestion: (name: string) =>
    `The skill ${name} will be removed from all agents. This cannot be undone. A skill that an active link requires cannot be deleted.`,
};

export default en;
export type SkillTexts = typeof en;
