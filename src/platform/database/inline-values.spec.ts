import { inlineValues } from './inline-values';

describe('inlineValues', () => {
  it.each<[string, unknown, string]>([
    ['a word', 'completed', `'completed'`],
    ['nothing', '', `''`],
    ['quotes', `O'Neil ''`, `'O''Neil '''''`],
    ['what would end the statement', `'; DROP TABLE calls; --`, `'''; DROP TABLE calls; --'`],
    ['a backslash', String.raw`100\%`, String.raw` E'100\\%'`],
    ['a backslash before a quote', String.raw`\'`, String.raw` E'\\'''`],
    ['a placeholder', 'costs $1 and $2', `'costs $1 and $2'`],
    ['what replacements mean something by', "$& $' $$", `'$& $'' $$'`],
    ['unicode', 'João 😀', `'João 😀'`],
    ['a number', 7, `'7'`],
    ['a negative number', -5, `'-5'`],
    ['a large number', 9007199254740993n, `'9007199254740993'`],
    ['a boolean', false, `'false'`],
    ['a moment', new Date('2026-01-31T12:00:00.123Z'), `'2026-01-31T12:00:00.123Z'`],
    ['null', null, 'NULL'],
    ['undefined', undefined, 'NULL'],
    ['an empty array', [], `'{}'`],
    ['an array', ['a', null, 'NULL', 7], `'{"a",NULL,"NULL","7"}'`],
    ['an array of what needs care', [`"'`, String.raw`\ `, '{,}'], String.raw` E'{"\\"''","\\\\ ","{,}"}'`],
  ])('writes %s', (_what, value, literal) => {
    expect(inlineValues({ text: 'a = $1', values: [value] })).toBe(`a = ${literal}`);
  });

  it('tells $1 from $10, and takes them in any order and number', () => {
    const values = Array.from({ length: 10 }, (_, index) => `v${index + 1}`);
    expect(inlineValues({ text: '$10 $1 $2::text $1', values })).toBe(`'v10' 'v1' 'v2'::text 'v1'`);
  });

  it('leaves a statement without values alone', () => {
    expect(inlineValues({ text: 'SELECT 1' })).toBe('SELECT 1');
  });

  it.each<[string, string, unknown[]]>([
    ['a placeholder without a value', '$2', ['a']],
    ['a placeholder of none', '$0', ['a']],
    ['NUL', '$1', ['a\0b']],
    ['NUL in an array', '$1', [['a\0b']]],
    ['an object', '$1', [{}]],
    ['an array in an array', '$1', [[['a']]]],
    ['a moment that is none', '$1', [new Date(Number.NaN)]],
  ])('refuses %s', (_what, text, values) => {
    expect(() => inlineValues({ text, values })).toThrow();
  });
});
