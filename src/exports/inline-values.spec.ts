import { inlineValues } from './inline-values';

describe('inlineValues', () => {
  it.each<[string, unknown, string]>([
    ['a word', 'completed', `'completed'`],
    ['an empty string', '', `''`],
    ['quotes', `O'Neil ''`, `'O''Neil '''''`],
    ['an SQL injection', `'; DROP TABLE calls; --`, `'''; DROP TABLE calls; --'`],
    ['a backslash', String.raw`100\%`, String.raw` E'100\\%'`],
    ['a backslash before a quote', String.raw`\'`, String.raw` E'\\'''`],
    ['a placeholder', 'costs $1 and $2', `'costs $1 and $2'`],
    ['replacement patterns of String.replace', "$& $' $$", `'$& $'' $$'`],
    ['unicode', 'João 😀', `'João 😀'`],
    ['a number', 7, `'7'`],
    ['a negative number', -5, `'-5'`],
    ['a large number', 9007199254740993n, `'9007199254740993'`],
    ['a boolean', false, `'false'`],
    ['a date', new Date('2026-01-31T12:00:00.123Z'), `'2026-01-31T12:00:00.123Z'`],
    ['null', null, 'NULL'],
    ['undefined', undefined, 'NULL'],
    ['an empty array', [], `'{}'`],
    ['an array', ['a', null, 'NULL', 7], `'{"a",NULL,"NULL","7"}'`],
    [
      'an array with characters that need escaping',
      [`"'`, String.raw`\ `, '{,}'],
      String.raw` E'{"\\"''","\\\\ ","{,}"}'`,
    ],
  ])('writes %s', (_name, value, literal) => {
    expect(inlineValues({ text: 'a = $1', values: [value] })).toBe(`a = ${literal}`);
  });

  it('distinguishes $1 from $10, and accepts placeholders in any order, repeatedly', () => {
    const values = Array.from({ length: 10 }, (_, index) => `v${index + 1}`);
    expect(inlineValues({ text: '$10 $1 $2::text $1', values })).toBe(`'v10' 'v1' 'v2'::text 'v1'`);
  });

  it('does not change a statement without values', () => {
    expect(inlineValues({ text: 'SELECT 1' })).toBe('SELECT 1');
  });

  it.each<[string, string, unknown[]]>([
    ['a placeholder without a value', '$2', ['a']],
    ['the placeholder $0', '$0', ['a']],
    ['NUL', '$1', ['a\0b']],
    ['NUL in an array', '$1', [['a\0b']]],
    ['an object', '$1', [{}]],
    ['an array in an array', '$1', [[['a']]]],
    ['an invalid date', '$1', [new Date(Number.NaN)]],
  ])('rejects %s', (_name, text, values) => {
    expect(() => inlineValues({ text, values })).toThrow();
  });
});
