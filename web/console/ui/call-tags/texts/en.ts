const en = {
  title: 'Tags',
  add: 'Add a tag',
  nothing: 'No such tag',
  remove: (name: string) => `Remove the tag ${name}`,
};

export default en;
export type CallTagsTexts = typeof en;
