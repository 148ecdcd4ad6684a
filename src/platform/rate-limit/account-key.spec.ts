import { foldEmail } from './account-key';

describe('foldEmail', () => {
  it.each([
    ['ana@example.com', ' ANA@Example.com\t'],
    ['an\u00e1@example.com', 'AN\u0041\u0301@example.com'],
    ['iris@example.com', '\u0130R\u0131S@example.com'],
    ['\u03bf\u03c2@example.com', '\u039f\u03c3@example.com'],
    ['stra\u00dfe@example.com', 'STRA\u1e9eE@example.com'],
    ['ana@example.com', '\u200ban\u00ada@example.com\ufeff'],
  ])('gives %s and %s the same spelling', (one, other) => {
    expect(foldEmail(other)).toBe(foldEmail(one));
  });

  it.each([
    ['ana@example.com', 'bia@example.com'],
    ['ana@example.com', 'ana@example.org'],
    ['ana@example.com', 'ana+1@example.com'],
    [`${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.org`],
  ])('keeps %s and %s apart', (one, other) => {
    expect(foldEmail(other)).not.toBe(foldEmail(one));
  });

  it('limits the length', () => {
    expect(foldEmail('\ufdfa'.repeat(1_000_000)).length).toBeLessThanOrEqual(600);
  });
});
