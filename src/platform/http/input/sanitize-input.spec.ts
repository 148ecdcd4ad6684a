import { sanitizeInput, UnsafeInputError } from './sanitize-input';

const nested = (depth: number) =>
  JSON.parse(`{"field": ${'['.repeat(depth)}1${']'.repeat(depth)}}`) as object;

describe('sanitizeInput', () => {
  it('trims strings at any depth, and nothing else', () => {
    const input = { name: ' Ana ', tags: [' a', { b: 'c ' }], age: 7, gone: null, yes: true, blank: '  ' };
    expect(sanitizeInput(input)).toEqual({
      name: 'Ana',
      tags: ['a', { b: 'c' }],
      age: 7,
      gone: null,
      yes: true,
      blank: '',
    });
    expect(input.name).toBe(' Ana ');
  });

  it('does not trim when trim is false', () => {
    expect(sanitizeInput({ sdp: 'v=0\r\n' }, false)).toEqual({ sdp: 'v=0\r\n' });
  });

  it.each([[null], [undefined], [7], [false], [[]]])('returns %j unchanged', (value) => {
    expect(sanitizeInput(value)).toEqual(value);
  });

  it.each([
    ['body', '\0'],
    ['name', { name: 'a\0b' }],
    ['list', { list: ['fine', { deep: 'a\0' }] }],
    ['body', { 'a\0b': 1 }],
    ['outer', { outer: { 'a\0b': 1 } }],
  ])('reports NUL in %s', (field, input) => {
    for (const trim of [true, false]) {
      const failure = caught(() => sanitizeInput(input, trim));
      expect(failure).toBeInstanceOf(UnsafeInputError);
      expect((failure as UnsafeInputError).field).toBe(field);
    }
  });

  it('does not set the prototype from a key', () => {
    const result = sanitizeInput(JSON.parse('{"__proto__": {"role": "owner"}, "name": "x"}')) as object;
    expect((result as { role?: unknown }).role).toBeUndefined();
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(({} as { role?: unknown }).role).toBeUndefined();
  });

  it('accepts 20 levels, and rejects more before the stack overflows', () => {
    expect(sanitizeInput(nested(19))).toEqual(nested(19));
    for (const depth of [20, 5_000, 200_000]) {
      const failure = caught(() => sanitizeInput(nested(depth)));
      expect(failure).toEqual(new UnsafeInputError('field', 'must not be nested deeper than 20 levels'));
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
