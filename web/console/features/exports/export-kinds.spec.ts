import { exportQuery } from './export-kinds';

const NONE = { status: '', department_id: '', date_from: '', date_to: '', search: '' };

describe('the query of an export', () => {
  it.each([
    ['calls', { status: 'missed', date_from: '2026-01-01' }, { status: 'missed', date_from: '2026-01-01' }],
    ['customers', { status: 'missed', search: 'Ana' }, { search: 'Ana' }],
    ['links', { status: 'used', date_from: '2026-01-01' }, { status: 'used', date_from: '2026-01-01' }],
    ['links', { status: 'missed' }, {}],
    ['calls', { status: 'used' }, {}],
  ] as const)('of %s with %j is %j', (kind, values, query) => {
    expect(exportQuery(kind, { ...NONE, ...values })).toEqual(query);
  });
});
