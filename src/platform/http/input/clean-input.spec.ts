import { cleanInput, UncleanInputError } from './clean-input';

const nested = (depth: number) =>
  JSON.parse(`{"field": ${'['.repeat(depth)}1${']'.repeat(depth)}}`) as object;

describe('cleanInput', () => {
  it('trims every string, however deep, and leaves the rest alone', () => {
    const input = { name: ' Ana ', tags: [' a', { b: 'c ' }], age: 7, gone: null, yes: true, blank: '  ' };
    expect(cleanInput(input)).toEqual({
      name: 'Ana',
      tags: ['a', { b: 'c' }],
      age: 7,
      gone: null,
      yes: true,
      blank: '',
    });
    expect(input.name).toBe(' Ana ');
  });

  it('keeps blanks when asked to', () => {
    expect(cleanInput({ sdp: 'v=0\r\n' }, false)).toEqual({ sdp: 'v=0\r\n' });
  });

  it.each([[null], [undefined], [7], [false], [[]]])('passes %j through', (value) => {
    expect(cleanInput(value)).toEqual(value);
  });

  it.each([
    ['body', '\0'],
    ['name', { name: 'a\0b' }],
    ['list', { list: ['fine', { deep: 'a\0' }] }],
    ['body', { 'a\0b': 1 }],
    ['outer', { outer: { 'a\0b': 1 } }],
  ])('names %s as the place of a NUL', (field, input) => {
    for (const trim of [true, false]) {
      const failure = caught(() => cleanInput(input, trim));
      expect(failure).toBeInstanceOf(UncleanInputError);
      expect((failure as UncleanInputError).field).toBe(field);
    }
  });

  it('makes no prototype out of a key', () => {
    const result = cleanInput(JSON.parse('{"__proto__": {"role": "owner"}, "name": "x"}')) as object;
    expect((result as { role?: unknown }).role).toBeUndefined();
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(({} as { role?: unknown }).role).toBeUndefined();
  });

  it('takes 20 levels and no more, before anything overflows', () => {
    expect(cleanInput(nested(19))).toEqual(nested(19));
    for (const depth of [20, 5_000, 200_000]) {
      const failure = caught(() => cleanInput(nested(depth)));
      expect(failure).toEqual(new UncleanInputError('field', 'must not be nested deeper than 20 levels'));
    }
  });
});

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}
