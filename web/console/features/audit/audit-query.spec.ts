import { DEFAULT_FILTERS, queryOf } from './audit-query';

describe('the query of the audit log', () => {
  it.each([
    [{}, {}],
    [{ action: 'call.assigned' }, { action: 'call.assigned' }],
    [{ address: '203.0.113.7' }, { address: '203.0.113.7' }],
    [{ address: '2001:db8::7' }, { address: '2001:db8::7' }],
    [{ address: '203.0.', date_from: '2026-01-01' }, { date_from: '2026-01-01' }],
    [{ address: 'office' }, {}],
  ])('of %j is %j', (filters, query) => {
    expect(queryOf({ ...DEFAULT_FILTERS, ...filters })).toEqual(query);
  });
});
