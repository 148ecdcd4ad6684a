const en = {
  title: 'Tags',
  empty: 'There are no tags yet. Tags sort calls by subject.',
  name: 'Name',
  color: 'Colour',
  parent: 'Below',
  noParent: 'No other tag',
  create: 'New tag',
  edit: (name: string) => `Tag ${name}`,
  deleteQuestion: (name: string) =>
    `The tag ${name} will be removed from all calls. The tags below it stay. This cannot be undone.`,
};

export default en;
export type TagTexts = typeof en;
