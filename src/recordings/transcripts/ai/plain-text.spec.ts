import * as fc from 'fast-check';
import { plainText } from './plain-text';

describe('plainText', () => {
  it.each([
    ['Olá, tudo bem?', 'Olá, tudo bem?'],
    ['  padded \n', 'padded'],
    ['one\r\ntwo\rthree\u2028four', 'one\ntwo\nthree\nfour'],
    ['tab\tstays', 'tab\tstays'],
    ['NUL\0 bell\u0007 escape\u001b[31m', 'NUL bell escape[31m'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['half a \ud83d character', 'half a \ufffd character'],
    ['', ''],
    ['\0', ''],
  ])('turns %j into %j', (text, stored) => {
    expect(plainText(text, 100)).toBe(stored);
  });

  it('cuts a text that is too long, without leaving half a character', () => {
    expect(plainText('abcdef', 4)).toBe('abcd');
    expect(plainText('abc👩', 4)).toBe('abc\ufffd');
  });

  it('never exceeds its limit and is always valid for PostgreSQL', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const stored = plainText(text, 10);
        expect(stored.length).toBeLessThanOrEqual(10);
        expect(stored).not.toContain('\0');
        expect(stored.isWellFormed()).toBe(true);
      }),
    );
  });
});
