import { formatTyped, parseTyped } from './typed-date';

describe('a typed day or time', () => {
  it.each([
    ['', 'en', ''],
    ['2027-01-31', 'en', '31/01/2027'],
    ['2027-01-31', 'pt', '31/01/2027'],
    ['2027-01-31', 'es', '31/01/2027'],
    ['2027-01-31T09:05', 'en', '31/01/2027, 09:05'],
    ['2027-01-31T00:05', 'pt', '31/01/2027, 00:05'],
    ['2027-01-31T09:05', 'es', '31/01/2027, 09:05'],
  ] as const)('%j in %s is %j', (value, language, text) => {
    expect(formatTyped(value, language)).toBe(text);
    if (text) expect(parseTyped(text, language, value.includes('T'))).toBe(value);
  });

  it.each([
    ['1.2.2027', false, '2027-02-01'],
    ['2027-2-1', false, '2027-02-01'],
    ['29 02 2028', false, '2028-02-29'],
    ['29/02/2027', false, null],
    ['01/02/27', false, null],
    ['01312031', false, null],
    ['31012027', false, '2027-01-31'],
    ['31022027', false, null],
    ['3101202', false, null],
    ['31012027', true, null],
    ['310120270930', true, '2027-01-31T09:30'],
    ['310120270930', false, null],
    ['1/2', false, null],
    ['tomorrow', false, null],
    ['1/2/2027', true, null],
    ['1/2/2027 9:5', true, '2027-02-01T09:05'],
    ['2027-02-01T09:30', true, '2027-02-01T09:30'],
    ['1/2/2027 24:30', true, null],
    ['1/2/2027 09:30', false, null],
  ])('%j, with a time %p, is %j', (text, withTime, value) => {
    expect(parseTyped(text, 'en', withTime)).toBe(value);
  });
});
