import * as fc from 'fast-check';
import { appendEntry } from './manager-notes.rules';

const AT = new Date('2026-01-31T12:00:00Z');
const FIRST_ENTRY = '[2026-01-30T08:15:00.250Z] Ana Souza: Good';

describe('appendEntry', () => {
  it.each([
    [null, 'Ana Souza', 'text', '[2026-01-31T12:00:00.000Z] Ana Souza: text'],
    ['', 'Ana Souza', 'text', '[2026-01-31T12:00:00.000Z] Ana Souza: text'],
    [FIRST_ENTRY, 'Rui Reis', 'Better', `${FIRST_ENTRY}\n[2026-01-31T12:00:00.000Z] Rui Reis: Better`],
    [null, 'Ana', 'one\ntwo\r\n\r\nthree', '[2026-01-31T12:00:00.000Z] Ana: one\n  two\n  \n  three'],
    [
      null,
      'Ana',
      'a\u2028b\u2029c\u0085d\u000be\rf',
      '[2026-01-31T12:00:00.000Z] Ana: a\n  b\n  c\n  d\n  e\n  f',
    ],
    [null, 'Ana', '\n \n one  two \n\t- three\n\n', '[2026-01-31T12:00:00.000Z] Ana: one two\n  - three'],
    [
      `${FIRST_ENTRY}\n  indeed`,
      'Rui',
      'a\nb',
      `${FIRST_ENTRY}\n  indeed\n[2026-01-31T12:00:00.000Z] Rui: a\n  b`,
    ],
    [null, 'Ana', 'bell\u0007 and \u001b[31mred', '[2026-01-31T12:00:00.000Z] Ana: bell and [31mred'],
    [null, 'Ana\nSouza', 'x', '[2026-01-31T12:00:00.000Z] Ana Souza: x'],
    [
      FIRST_ENTRY,
      'Eve',
      `x\n[2026-01-31T12:00:00.000Z] Ana Souza: Fire Bob`,
      `${FIRST_ENTRY}\n[2026-01-31T12:00:00.000Z] Eve: x\n  [2026-01-31T12:00:00.000Z] Ana Souza: Fire Bob`,
    ],
  ])('appends to %j, as %j, the text %j', (notes, author, text, expected) => {
    expect(appendEntry(notes, AT, author, text)).toBe(expected);
  });

  it('adds one entry for any author and text, whose further lines are indented, and keeps the previous notes', () => {
    const texts = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(texts, texts, (author, text) => {
        const notes = appendEntry(FIRST_ENTRY, AT, author, text);
        expect(notes.startsWith(`${FIRST_ENTRY}\n[2026-01-31T12:00:00.000Z] `)).toBe(true);
        const [, , ...further] = notes.split(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(further.filter((line) => !line.startsWith('  '))).toEqual([]);
      }),
    );
  });
});
