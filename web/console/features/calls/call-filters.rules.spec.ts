import { isFiltered, NO_FILTERS, queryOf, type CallFilters } from './call-filters.rules';

const ID = '3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11';

describe('queryOf', () => {
  it.each<[string, Partial<CallFilters>, object]>([
    ['nothing', {}, {}],
    ['a status', { status: 'missed' }, { status: 'missed' }],
    ['an unknown status', { status: 'lost' }, {}],
    ['ids', { department_id: ID, user_id: ID }, { department_id: ID, user_id: ID }],
    ['what is no id', { department_id: '7', user_id: 'x' }, {}],
    [
      'days',
      { date_from: '2026-01-31', date_to: '2026-02-01' },
      { date_from: '2026-01-31', date_to: '2026-02-01' },
    ],
    ['what is no day', { date_from: 'yesterday' }, {}],
    ['blanks around a search', { search: ' ana ' }, { search: 'ana' }],
    ['a search of blanks', { search: '  ' }, {}],
  ])('asks for %s', (_, filters, query) => {
    expect(queryOf({ ...NO_FILTERS, ...filters })).toEqual(query);
  });
});

it('knows whether there is a filter', () => {
  expect(isFiltered(NO_FILTERS)).toBe(false);
  expect(isFiltered({ ...NO_FILTERS, search: 'a' })).toBe(true);
});
