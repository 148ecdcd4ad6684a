import { withSingleValues } from './single-values';

const ONE = ['a'];
const TWO = ['a', 'b'];

describe('withSingleValues', () => {
  it.each([
    {
      case: 'a list of one value',
      text: 'SELECT FROM calls WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id',
      values: ['t', ONE],
      single: { text: 'SELECT FROM calls WHERE tenant_id = $1 AND id = $2 ORDER BY id', values: ['t', 'a'] },
    },
    {
      case: 'a list with a type',
      text: 'SELECT FROM calls WHERE id = ANY ($1::uuid[])',
      values: [ONE],
      single: { text: 'SELECT FROM calls WHERE id = $1::uuid', values: ['a'] },
    },
    {
      case: 'a list that is compared twice',
      text: 'SELECT 1 WHERE 1 = ANY ($1) OR 2 = ANY ($1)',
      values: [ONE],
      single: { text: 'SELECT 1 WHERE 1 = $1 OR 2 = $1', values: ['a'] },
    },
    {
      case: 'two lists of one value',
      text: 'SELECT 1 WHERE 1 = ANY ($1) OR 2 = ANY ($2)',
      values: [ONE, ['b']],
      single: { text: 'SELECT 1 WHERE 1 = $1 OR 2 = $2', values: ['a', 'b'] },
    },
  ])('compares $case as the value', ({ text, values, single }) => {
    expect(withSingleValues({ text, values, name: undefined })).toEqual({ ...single, name: undefined });
  });

  it.each([
    { case: 'a list of several values', text: 'SELECT 1 WHERE 1 = ANY ($1)', values: [TWO] },
    { case: 'an empty list', text: 'SELECT 1 WHERE 1 = ANY ($1)', values: [[]] },
    {
      case: 'lists of which one has several',
      text: 'SELECT 1 WHERE 1 = ANY ($1) OR 2 = ANY ($2)',
      values: [ONE, TWO],
    },
    {
      case: 'a list that is read otherwise, too',
      text: 'SELECT unnest($1) WHERE 1 = ANY ($1)',
      values: [ONE],
    },
    { case: 'a list in one text', text: 'SELECT 1 WHERE 1 = ANY ($1)', values: ['{a}'] },
    { case: 'no list', text: 'SELECT $1', values: [ONE] },
    { case: 'no values', text: `SELECT 1 = ANY ('{1}')`, values: undefined },
  ])('keeps $case', ({ text, values }) => {
    const statement = { text, values };
    expect(withSingleValues(statement)).toBe(statement);
  });

  it('distinguishes parameters with the same first digit', () => {
    const text = 'SELECT $10 WHERE 1 = ANY ($1)';
    expect(withSingleValues({ text, values: [ONE] })?.text).toBe('SELECT $10 WHERE 1 = $1');
  });
});
