import fc from 'fast-check';
import { toStorableJson } from './storable-json';

/** `levels` of nesting around a value. */
function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'core';
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('toStorableJson', () => {
  it.each([
    ['evt_1&2', 'evt_1&2'],
    ['João 🙂', 'João 🙂'],
    ['a\0b\0', 'a\uFFFDb\uFFFD'],
    ['\uD800', '\uFFFD'],
    ['x\uDC00\uD800y', 'x\uFFFD\uFFFDy'],
    [7, 7],
    [null, null],
    [true, true],
    [[], []],
    [{}, {}],
    [{ 'a\0': ['\0', { '\uDFFF': '\0' }] }, { 'a\uFFFD': ['\uFFFD', { '\uFFFD': '\uFFFD' }] }],
  ])('%j becomes %j', (value, expected) => {
    expect(toStorableJson(value)).toEqual(expected);
  });

  it.each([
    ['lists', (inner: unknown) => [inner]],
    ['objects', (inner: unknown) => ({ inner })],
  ])('keeps fifty levels of %s and cuts a hundred thousand', (_what, wrap) => {
    expect(toStorableJson(nested(50, wrap))).toEqual(nested(50, wrap));
    const kept = toStorableJson(nested(100_000, wrap));
    expect(depthOf(kept)).toBe(50);
    expect(JSON.stringify(kept)).toContain('\uFFFD');
  });

  it('keeps a field called __proto__', () => {
    const body: unknown = JSON.parse('{"__proto__": {"id": "a\\u0000"}, "id": "b"}');
    expect(JSON.stringify(toStorableJson(body))).toBe('{"__proto__":{"id":"a\uFFFD"},"id":"b"}');
  });

  it('changes only what PostgreSQL cannot store', () => {
    const anyText = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        if (!text.includes('\\u0000')) expect(JSON.stringify(toStorableJson(value))).toBe(text);
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(anyText, fc.array(anyText)), (value) => {
        const text = JSON.stringify(toStorableJson(value));
        expect(text).not.toMatch(/\\u(0000|d[89a-f])/i);
      }),
    );
  });
});
