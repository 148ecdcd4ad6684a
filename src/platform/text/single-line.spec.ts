import * as fc from 'fast-check';
import { toSingleLine } from './single-line';

describe('toSingleLine', () => {
  it.each([
    ['Açaí & Cia.', 'Açaí & Cia.'],
    ['Eve\r\nBcc: all@example.com', 'Eve Bcc: all@example.com'],
    ['Eve\n\n\nLog in here', 'Eve Log in here'],
    ['  padded\t name ', 'padded name'],
    ['null\0byte', 'null byte'],
    ['separators\u2028and\u2029more\u0085', 'separators and more'],
    ['turned\u202Ecod.exe\u2066', 'turned cod.exe'],
    ['👩‍👩‍👧 family', '👩‍👩‍👧 family'],
    ['', ''],
  ])('turns %j into %j', (text, line) => {
    expect(toSingleLine(text)).toBe(line);
  });

  it('never returns a line break, and is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = toSingleLine(text);
        expect(line).not.toMatch(/[\r\n\0\u2028\u2029\u0085]/);
        expect(toSingleLine(line)).toBe(line);
      }),
    );
  });
});
