import { shownFieldOf } from './shown-field';

const VALUES = { name: '', allowed_sites: [], skills: [{ skill_id: '' }], wrap_up_time: 0 };
const SHOWN = new Set(['name', 'allowed_sites', 'skills', 'skills.0.skill_id']);

describe('shownFieldOf', () => {
  it.each([
    ['name', 'name'],
    ['department.name', 'name'],
    ['allowed_sites.2', 'allowed_sites'],
    ['skills', 'skills'],
    ['skills.0.skill_id', 'skills.0.skill_id'],
    ['skills.1.skill_id', 'skills'],
    ['wrap_up_time', null],
    ['unknown', null],
  ])('of %p is %p', (path, field) => {
    expect(shownFieldOf(path, VALUES, (name) => SHOWN.has(name))).toBe(field);
  });
});
