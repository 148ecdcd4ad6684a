/** Undetermined language (ISO 639-2). */
const UNDETERMINED = 'und';

const NAMES = new Intl.DisplayNames(['en'], { type: 'language' });
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** Names by which Whisper calls languages, and that are not those of Unicode. */
const OTHER_NAMES: [string, string][] = [
  ['bengali', 'bn'],
  ['cantonese', 'yue'],
  ['castilian', 'es'],
  ['flemish', 'nl'],
  ['haitian', 'ht'],
  ['hawaiian', 'haw'],
  ['letzeburgesch', 'lb'],
  ['mandarin', 'zh'],
  ['maori', 'mi'],
  ['moldavian', 'ro'],
  ['moldovan', 'ro'],
  ['myanmar', 'my'],
  ['nynorsk', 'nn'],
  ['panjabi', 'pa'],
  ['pushto', 'ps'],
  ['sinhalese', 'si'],
  ['tagalog', 'fil'],
  ['valencian', 'ca'],
];

/** English names of the languages of ISO 639-1, in lower case, with their codes. */
const CODES_BY_NAME = new Map([
  ...OTHER_NAMES,
  ...LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
    const name = NAMES.of(code)?.toLowerCase();
    const [tag = code] = Intl.getCanonicalLocales(code);
    return name === undefined || name === code ? [] : [[name, tag] as [string, string]];
  }),
]);

/** Converts a language code or English language name to a BCP 47 tag; `und` if it is neither. */
export function languageTag(language: unknown): string {
  if (typeof language !== 'string') return UNDETERMINED;
  const words = language.trim().toLowerCase();
  return CODES_BY_NAME.get(words) ?? tagOf(words.replaceAll('_', '-')) ?? UNDETERMINED;
}

function tagOf(words: string): string | undefined {
  if (!/^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/.test(words)) return undefined;
  try {
    return Intl.getCanonicalLocales(words)[0];
  } catch {
    return undefined;
  }
}

/** The English name of a tag, for example `Brazilian Portuguese`; the tag itself if it has none. */
export function languageName(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
