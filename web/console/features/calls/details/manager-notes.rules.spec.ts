import { parseManagerNotes } from './manager-notes.rules';

const AT = '2026-01-31T12:00:00.000Z';

describe('parseManagerNotes', () => {
  it.each([
    [null, []],
    ['', []],
    [
      `[${AT}] Ana Souza: Called back: all is well`,
      [{ at: AT, author: 'Ana Souza', text: 'Called back: all is well' }],
    ],
    [
      `[${AT}] Ana: One\n[${AT}] Bob: Two`,
      [
        { at: AT, author: 'Ana', text: 'One' },
        { at: AT, author: 'Bob', text: 'Two' },
      ],
    ],
    [
      `[${AT}] Ana: One:\n  - two\n  \n  [${AT}] Eve: three\n[${AT}] Bob: Four`,
      [
        { at: AT, author: 'Ana', text: `One:\n- two\n\n[${AT}] Eve: three` },
        { at: AT, author: 'Bob', text: 'Four' },
      ],
    ],
    ['imported', [{ at: null, author: null, text: 'imported' }]],
  ])('%j', (notes, entries) => {
    expect(parseManagerNotes(notes)).toEqual(entries);
  });
});
