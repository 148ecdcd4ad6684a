import { readPageSession } from './page-session';

describe('readPageSession', () => {
  it.each([[undefined], [null]])('is null without one (%s)', (sent) =>
    expect(readPageSession(sent)).toBeNull(),
  );

  it.each([['a'], ['4f0c-9_Z'], ['x'.repeat(64)]])('accepts %s', (sent) =>
    expect(readPageSession(sent)).toBe(sent),
  );

  it.each<[unknown]>([[''], ['x'.repeat(65)], ['a b'], ['a\n'], ['é'], [7], [['a']], [{}], [true]])(
    'refuses %j',
    (sent) =>
      expect(() => readPageSession(sent)).toThrow(expect.objectContaining({ code: 'validation_failed' })),
  );
});
