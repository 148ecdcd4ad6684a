import { details, table } from './output';

describe('table', () => {
  it('has a line for the names and one for each row, in columns', () => {
    const rows = [
      { slug: 'padaria', users: 2, suspended: false },
      { slug: 'a', users: 10_000, suspended: true },
    ];
    expect(table(rows)).toBe(
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
    expect(table([{ value }])).toBe(`value\n${shown}\n`);
  });

  it('of nothing is nothing to see', () => {
    expect(table([]).trim()).toBe('');
  });
});

describe('details', () => {
  it('has a line for each value; what is nested goes by its path', () => {
    expect(details({ slug: 'padaria', max_users: null, usage: { active_users: 2 } })).toBe(
      ['slug                padaria', 'max_users           -', 'usage.active_users  2', ''].join('\n'),
    );
  });

  it('of nothing is nothing', () => {
    expect(details({})).toBe('');
  });
});
