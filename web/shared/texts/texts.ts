export type Language = 'pt' | 'en' | 'es';

export const LANGUAGES: readonly Language[] = ['en', 'pt', 'es'];

/** The names of the languages, each in itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  pt: 'Português',
  es: 'Español',
};

/** One module per language, whose default export is the typed object of all texts: `{ en: () => import('./en'), … }`. */
export type TextLoaders<Texts> = Record<Language, () => Promise<{ default: Texts }>>;

export async function loadTexts<Texts>(loaders: TextLoaders<Texts>, language: Language): Promise<Texts> {
  return (await loaders[language]()).default;
}

/** @param wanted languages in order of preference, like `navigator.languages`. @returns the first one that there is */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const language = LANGUAGES.find((candidate) => candidate === tag.slice(0, 2).toLowerCase());
    if (language) return language;
  }
  return 'en';
}
