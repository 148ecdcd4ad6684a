import en from './en';
import es from './es';
import pt from './pt';

/** All texts with their paths; functions are called with words that are easily found again. */
function sentences(texts: object, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]: [string, unknown]): [string, string][] => {
    const here = `${path}.${key}`;
    if (typeof value === 'string') return [[here, value]];
    if (typeof value === 'function') return [[here, (value as (...words: unknown[]) => string)(2, 3, 4)]];
    return sentences(value as object, here);
  });
}

const given = (text: string | undefined) => [2, 3, 4].filter((word) => text?.includes(String(word)));

describe.each([
  ['pt', pt],
  ['es', es],
])('%s', (_name, texts) => {
  it('has all texts', () => {
    expect(sentences(texts).map(([path]) => path)).toEqual(sentences(en).map(([path]) => path));
    expect(sentences(texts).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('is translated: hardly a sentence of several words is the English one', () => {
    const english = new Map(sentences(en));
    const same = sentences(texts).filter(([path, text]) => / .* /.test(text) && english.get(path) === text);
    expect(same.map(([path]) => path)).toEqual(['.range.hourAndMinutes']);
  });

  it('uses what it is given', () => {
    const english = new Map(sentences(en));
    for (const [path, text] of sentences(texts))
      expect([path, given(text)]).toEqual([path, given(english.get(path))]);
  });
});
