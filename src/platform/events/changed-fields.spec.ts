import { changedFields } from './record-updated';

describe('changedFields', () => {
  const before = { name: 'Support', size: 20, note: null as string | null, sites: ['a', 'b'] };

  it.each([
    [{}, []],
    [{ name: 'Support', size: 20, note: null, sites: ['a', 'b'] }, []],
    [{ name: undefined }, []],
    [{ name: 'Sales' }, ['name']],
    [{ name: 'support' }, ['name']],
    [{ note: '' }, ['note']],
    [{ name: 'Sales', size: 20, note: 'new' }, ['name', 'note']],
    [{ sites: ['b', 'a'] }, ['sites']],
    [{ sites: [] }, ['sites']],
  ])('%j changes %j', (changes, names) => {
    expect(changedFields(before, changes)).toEqual(names);
  });
});
