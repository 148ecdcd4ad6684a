import type { Language } from '../../../shared/texts/texts';
import { LOCALES } from '../../ui/dates';

const FORMATS = {
  date: { dateStyle: 'medium' },
  dateTime: { dateStyle: 'short', timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** @returns a time as it is read in the zone, which need not be that of the browser */
export function formatIn(
  timezone: string,
  time: string | number,
  language: Language,
  format: keyof typeof FORMATS,
): string {
  return new Intl.DateTimeFormat(LOCALES[language], { ...FORMATS[format], timeZone: timezone }).format(
    new Date(time),
  );
}
