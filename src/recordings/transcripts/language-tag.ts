/** Nothing is known of the language (ISO 639-2). */
const UNDETERMINED = 'und';

const NAMES = new Intl.DisplayNames(['en'], { type: 'language' });
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** English names of the languages of ISO 639-1, in lower case, with their codes. */
const CODES_BY_NAME = new Map(
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
    const name = NAMES.of(code)?.toLowerCase();
    const [tag = code] = Intl.getCanonicalLocales(code);
    return name === undefined || name === code ? [] : [[name, tag]];
  }),
);

/** The language that a provider names, by a code or in English, as a tag of BCP 47; `und` where it names none. */
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

/** A tag in English words, for example `Brazilian Portuguese`; a tag that means nothing is its own name. */
export function languageName(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
