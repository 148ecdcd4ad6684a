import { cleanInput, NulByteError } from './clean-input';

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
      expect(failure).toBeInstanceOf(NulByteError);
      expect((failure as NulByteError).field).toBe(field);
    }
  });

  it('makes no prototype out of a key', () => {
    const result = cleanInput(JSON.parse('{"__proto__": {"role": "owner"}, "name": "x"}')) as object;
    expect((result as { role?: unknown }).role).toBeUndefined();
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(({} as { role?: unknown }).role).toBeUndefined();
  });

  it('survives any depth', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    expect(() => cleanInput(deep)).not.toThrow();
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
