import { StatementNames } from './statement-names';

describe('StatementNames', () => {
  it('names a text when it is sent for the third time', () => {
    const names = new StatementNames('s', 400);
    expect([1, 2, 3, 4].map(() => names.nameOf('SELECT $1'))).toEqual([undefined, undefined, 's1', 's1']);
  });

  it('gives each text a name of its own', () => {
    const names = new StatementNames('s', 400);
    const texts = ['SELECT $1', 'SELECT $1::int'];
    for (const text of [...texts, ...texts]) names.nameOf(text);
    expect(texts.map((text) => names.nameOf(text))).toEqual(['s1', 's2']);
  });

  it('does not name texts that are sent once, however many there are', () => {
    const names = new StatementNames('s', 400);
    for (let n = 0; n < 10_000; n++) expect(names.nameOf(`SELECT ${n}`)).toBeUndefined();
  });

  it('stops at 400 names', () => {
    const names = new StatementNames('s', 400);
    const nameAfterThreeUses = (n: number) => [1, 2, 3].map(() => names.nameOf(`SELECT ${n}`)).at(-1);
    const given = Array.from({ length: 500 }, (_, n) => nameAfterThreeUses(n));
    expect(given.filter((name) => name !== undefined)).toHaveLength(400);
    expect(names.nameOf('SELECT 0')).toBe('s1');
  });
});
