import type { Language } from '../../shared/texts/texts';
import { LOCALES } from './dates';

const formats = new Map<string, Intl.NumberFormat>();

/** The only place that writes numbers. @returns the number as the user's language writes it */
export function formatNumber(
  value: number,
  language: Language,
  options: Intl.NumberFormatOptions = {},
): string {
  const key = `${language} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(LOCALES[language], options);
  formats.set(key, format);
  return format.format(value);
}
