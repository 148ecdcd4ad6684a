import { isLinkToken, newLinkToken, withoutPastedEnd } from './link-token';

describe('a new token', () => {
  it.each([
    [24, 32],
    [32, 43],
  ])(
    'of %d bytes has %d characters, of which the first and the last are letters or digits',
    (bytes, length) => {
      const tokens = Array.from({ length: 5000 }, () => newLinkToken(bytes));
      expect(tokens.filter((token) => !/^[A-Za-z0-9][\w-]+[A-Za-z0-9]$/.test(token))).toEqual([]);
      expect(tokens.filter((token) => token.length !== length || !isLinkToken(token))).toEqual([]);
      // The others may be any of the alphabet.
      expect(tokens.some((token) => token.includes('-')) && tokens.some((token) => token.includes('_'))).toBe(
        true,
      );
      expect(new Set(tokens).size).toBe(tokens.length);
    },
  );
});

describe('a pasted token', () => {
  it.each([
    ['a-B_9', 'a-B_9'],
    ['a-B_9.', 'a-B_9'],
    ['a-B_9)', 'a-B_9'],
    ['a-B_9>', 'a-B_9'],
    ['a-B_9 ', 'a-B_9'],
    ['a-B_9).', 'a-B_9'],
    ['a-B_9>, \n', 'a-B_9'],
    ['a-B_9”', 'a-B_9'],
    ['a-B_9\u200b', 'a-B_9'],
    // Of earlier releases.
    ['a-B_', 'a-B_'],
    ['a-B-.', 'a-B-'],
    // A token in the form of a JWT.
    ['a.b.c.', 'a.b.c'],
    ['a.b', 'a.b'],
    ['...', ''],
    ['', ''],
  ])('%j is %j', (text, token) => {
    expect(withoutPastedEnd(text)).toBe(token);
  });
});
