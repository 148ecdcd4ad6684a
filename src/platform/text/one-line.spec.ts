import * as fc from 'fast-check';
import { oneLine } from './one-line';

describe('oneLine', () => {
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
  ])('%j is %j', (text, line) => {
    expect(oneLine(text)).toBe(line);
  });

  it('never has a line break, and is the line of itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = oneLine(text);
        expect(line).not.toMatch(/[\r\n\0\u2028\u2029\u0085]/);
        expect(oneLine(line)).toBe(line);
      }),
    );
  });
});
