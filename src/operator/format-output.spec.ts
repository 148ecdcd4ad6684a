import { formatDetails, formatTable } from './format-output';

describe('formatTable', () => {
  it('has a header line and a line per row, in columns', () => {
    const rows = [
      { slug: 'padaria', users: 2, suspended: false },
      { slug: 'a', users: 10_000, suspended: true },
    ];
    expect(formatTable(rows)).toBe(
      ['slug     users  suspended', 'padaria  2      no', 'a        10000  yes', ''].join('\n'),
    );
  });

  it.each([
    [null, '-'],
    [undefined, '-'],
    ['', ''],
    [['a', 'b'], '["a","b"]'],
    ['Açaí & Cia.', 'Açaí & Cia.'],
    ['two\nlines', 'two lines'],
    ['\u001b[2J\u001b]0;title\u0007red', '[2J ]0;title red'],
    ['turned\u202Ecod.exe', 'turned cod.exe'],
  ])('shows %j as %j', (value, shown) => {
    expect(formatTable([{ value }])).toBe(`value\n${shown}\n`);
  });

  it('is blank without rows', () => {
    expect(formatTable([]).trim()).toBe('');
  });
});

describe('formatDetails', () => {
  it('has a line per value and names nested values by their path', () => {
    expect(formatDetails({ slug: 'padaria', max_users: null, usage: { active_users: 2 } })).toBe(
      ['slug                padaria', 'max_users           -', 'usage.active_users  2', ''].join('\n'),
    );
  });

  it('is empty for an empty object', () => {
    expect(formatDetails({})).toBe('');
  });
});
