/** What the texts of a language are compared by. */
type Sentence = [path: string, text: string];

const WORDS = [2, 3, 4];

/** All texts with their paths; functions are called with words that are easily found again. */
function sentences(texts: object, path = ''): Sentence[] {
  return Object.entries(texts).flatMap(([key, value]: [string, unknown]): Sentence[] => {
    const here = `${path}.${key}`;
    if (typeof value === 'string') return [[here, value]];
    if (typeof value === 'function') return [[here, (value as (...words: unknown[]) => string)(...WORDS)]];
    return sentences(value as object, here);
  });
}

const given = (text: string | undefined) => WORDS.filter((word) => text?.includes(String(word)));

/** Tests that a language has all texts, is translated, and uses what it is given. */
export function itIsTranslated(texts: object, english: object, sameSentences: string[] = []): void {
  const originals = new Map(sentences(english));

  it('has all texts', () => {
    expect(sentences(texts).map(([path]) => path)).toEqual([...originals.keys()]);
    expect(sentences(texts).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('is translated: hardly a sentence of several words is the English one', () => {
    const same = sentences(texts).filter(
      ([path, text]) => /\p{L}+ .*\p{L}/u.test(text) && originals.get(path) === text,
    );
    expect(same.map(([path]) => path)).toEqual(sameSentences);
  });

  it('uses what it is given', () => {
    for (const [path, text] of sentences(texts))
      expect([path, given(text)]).toEqual([path, given(originals.get(path))]);
  });
}
