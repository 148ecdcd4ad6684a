import fields from './fields-en';
import hours from './hours-en';

const en = {
  title: 'Departments',
  one: 'Department',
  back: 'All departments',
  empty: 'There are no departments yet. Customers wait in the queue of a department.',
  create: 'New department',
  createSubmit: 'Create',
  createText: 'Everything else begins with common values, and is set on the next page.',
  deleteQuestion: (name: string) =>
    `${name} will be deleted: its links stop working, waiting calls and appointments are cancelled. This cannot be undone.`,
  deleted: (name: string) => `${name} was deleted.`,
  state: 'State',
  active: 'Active',
  inactive: 'Inactive',
  numberMissing: 'Enter a number.',
  never: 'Never',
  noOverflow: 'None',
  tabs: { general: 'General', hours: 'Opening hours', members: 'Members' },
  routing: { manual: 'Agents pick calls', automatic: 'Calls are offered to agents' },
  selection: {
    longest_idle: 'Who has been idle longest',
    most_skilled: 'Who has the highest skill levels',
    fewest_today: 'Who has started the fewest calls today',
  },
  units: { calls: 'calls', times: 'times' },
  groups: {
    about: 'About',
    queue: 'Queue',
    routing: 'Distribution of calls',
    overflow: 'Overflow',
    overflowText: 'Another department helps when customers wait long.',
    callbacks: 'Callbacks',
    callbacksText: 'Customers can leave the page and are invited back when an agent has time.',
  },
  members: {
    title: 'Members',
    text: 'They take the calls of this department.',
    empty: 'Nobody yet. Without members nobody answers.',
    add: 'Add a user',
    search: 'Name or e-mail',
    nobody: 'Nobody found',
    submit: 'Add',
    remove: 'Remove',
    removeQuestion: (name: string) => `${name} will no longer be offered calls of this department.`,
  },
  fields,
  hours,
};

export default en;
export type DepartmentTexts = typeof en;
