import { mergeDetails } from './merge.rules';

const NONE = { email: null, phone: null, document: null, notes: null, metadata: {} };

describe('mergeDetails', () => {
  const full = { email: 'a@x.example', phone: '1', document: '2', notes: 'A', metadata: { a: 1 } };

  it.each([
    ['nothing without duplicates', NONE, [], NONE],
    ['the fields of the primary', full, [], full],
    ['a missing field from a duplicate', NONE, [full], full],
    [
      'no field that the primary has',
      full,
      [{ ...NONE, email: 'b@x.example', phone: '9', notes: 'B' }],
      full,
    ],
    ['an empty field from a duplicate', { ...NONE, phone: '' }, [full], full],
    [
      'each field from the first duplicate that has it',
      { ...NONE, document: '7' },
      [
        { ...NONE, phone: '1' },
        { ...full, phone: '2' },
        { ...full, email: 'c@x.example', notes: 'C' },
      ],
      { ...full, phone: '1', document: '7' },
    ],
    [
      'metadata key by key',
      { ...NONE, metadata: { a: 1, kept: null } },
      [
        { ...NONE, metadata: { a: 2, b: { c: 2 }, kept: 2 } },
        { ...NONE, metadata: { b: 3, d: [3] } },
      ],
      { ...NONE, metadata: { a: 1, kept: null, b: { c: 2 }, d: [3] } },
    ],
  ])('takes %s', (_case, primary, duplicates, filled) => {
    const before = structuredClone([primary, duplicates]);
    expect(mergeDetails(primary, duplicates)).toEqual(filled);
    expect([primary, duplicates]).toEqual(before);
  });
});
