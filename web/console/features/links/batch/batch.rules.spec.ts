import { problemsByLine, readBatch } from './batch.rules';

const options = {
  defaults: { department_id: 'd1', priority: 0 },
  departments: [
    { value: 'd1', label: 'Sales' },
    { value: 'd2', label: 'Support' },
  ],
  zone: 'America/Sao_Paulo',
};

const read = (text: string, changed: object = {}) => readBatch(text, { ...options, ...changed });

describe('readBatch', () => {
  it.each([
    ['labels, also with commas', 'Silva, Ana\n\nTable 2', [{ label: 'Silva, Ana' }, { label: 'Table 2' }]],
    [
      'columns',
      'A;support;1;2027-01-31 12:00;3',
      [{ label: 'A', department_id: 'd2', max_uses: 1, expires_at: '2027-01-31T15:00:00.000Z', priority: 3 }],
    ],
    ['a day, until its end', 'A;;;2027-01-31', [{ label: 'A', expires_at: '2027-02-01T02:59:00.000Z' }]],
    ['columns that are named', 'max_uses,label\r\n5,"A ""b"", c"', [{ label: 'A "b", c', max_uses: 5 }]],
    ['tabs', 'A\tSupport', [{ label: 'A', department_id: 'd2' }]],
  ])('reads %s', (_, text, links) => {
    const lines = read(text);
    expect(lines.flatMap(({ problems }) => problems)).toEqual([]);
    expect(lines.map(({ link }) => link)).toEqual(links.map((link) => ({ ...options.defaults, ...link })));
  });

  it.each([
    ['A;Nowhere', 'department'],
    ['A;;0', 'max_uses'],
    ['A;;many', 'max_uses'],
    ['A;;;31/01/2027', 'expires_at'],
    ['A;;;;10', 'priority'],
    ['A;;;;1;more', 'too_many'],
    ['x'.repeat(256), 'label'],
  ])('tells what is wrong with %p', (text, problem) => {
    expect(read(text)).toMatchObject([{ number: 1, problems: [problem] }]);
  });

  it('needs a department', () => {
    const lines = read('A\nB;Sales', { defaults: { department_id: '' } });
    expect(lines.map(({ problems }) => problems)).toEqual([['department'], []]);
  });
});

const shout = (sentences: readonly string[]) => sentences.join('/').toUpperCase();

it('the messages of the service belong to lines, and are translated', () => {
  const lines = read('label\n\nA\nB');
  const fields = {
    'links.1.expires_at': ['must be in the future'],
    'links.1.department_id': ['is inactive', 'is old'],
    'links.0': ['is no object'],
    other: ['x'],
  };
  expect([...problemsByLine(fields, lines, shout)]).toEqual([
    [4, ['expires_at: MUST BE IN THE FUTURE', 'department: IS INACTIVE/IS OLD']],
    [3, ['IS NO OBJECT']],
  ]);
});
