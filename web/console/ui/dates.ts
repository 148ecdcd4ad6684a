import type { Language } from '../../shared/texts/texts';

/** The tags of the languages for `Intl`. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', pt: 'pt-BR', es: 'es' };

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(LOCALES[language], options);
  formats.set(key, known);
  return known;
}

/** @param iso ISO 8601. @param timeZone by default that of the browser. @returns day and time; an empty text for null */
export function formatDateTime(
  iso: string | null | undefined,
  language: Language,
  timeZone?: string,
): string {
  if (!iso) return '';
  return formatOf(language, { dateStyle: 'short', timeStyle: 'short', timeZone }).format(new Date(iso));
}

/** @param iso ISO 8601. @returns the day in the zone of the browser; an empty text for null */
export function formatDate(iso: string | null | undefined, language: Language): string {
  if (!iso) return '';
  return formatOf(language, { dateStyle: 'medium' }).format(new Date(iso));
}

/**
 * @param iso ISO 8601
 * @param timeStyle `short` has no seconds
 * @returns the time of day in the zone of the browser; an empty text for null
 */
export function formatTime(
  iso: string | null | undefined,
  language: Language,
  timeStyle: 'medium' | 'short' = 'medium',
): string {
  if (!iso) return '';
  return formatOf(language, { timeStyle }).format(new Date(iso));
}
