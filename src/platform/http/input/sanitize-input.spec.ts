import { sanitizeInput, UnsafeInputError } from './sanitize-input';

const nested = (depth: number) =>
  JSON.parse(`{"field": ${'['.repeat(depth)}1${']'.repeat(depth)}}`) as object;

const list = (length: number) => Array.from({ length }, () => 0);
const keys = (count: number) => Object.fromEntries(list(count).map((value, index) => [`k${index}`, value]));

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
  it.each<[string, object]>([
    ['1000 keys', keys(1000)],
    ['arrays of 1000 items', { field: list(1000), other: [list(1000)] }],
    ['16,384 values', { field: list(15).map(() => list(1000)), other: list(1000), more: list(365) }],
  ])('accepts %s', (_what, input) => {
    expect(sanitizeInput(input)).toEqual(input);
  });

  it.each<[string, object, string, string]>([
    ['1001 keys', keys(1001), 'body', 'must not have more than 1000 keys'],
    ['1001 keys in a field', { field: [keys(1001)] }, 'field', 'must not have more than 1000 keys'],
    ['1001 items', { field: list(1001) }, 'field', 'must not have more than 1000 items'],
    [
      '16,385 values',
      { field: list(15).map(() => list(1000)), other: list(1000), more: list(366) },
      'more',
      'must not have more than 16384 values',
    ],
  ])('rejects %s', (_what, input, field, problem) => {
    expect(caught(() => sanitizeInput(input))).toEqual(new UnsafeInputError(field, problem));
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
