import type { Language } from '../../shared/texts/texts';
import { shownZone } from '../../shared/zones';

/** The tags of the languages for `Intl`. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', pt: 'pt-BR', es: 'es' };

/** All forms in which the console writes days and times: in texts, tables, charts and the fields for them. */
const FORMS = {
  dateTime: { dateStyle: 'short', timeStyle: 'short' },
  date: { dateStyle: 'medium' },
  time: { timeStyle: 'medium' },
  clock: { timeStyle: 'short' },
  period: { dateStyle: 'medium', timeStyle: 'short' },
  weekday: { weekday: 'short', day: 'numeric', month: 'short' },
  weekdayName: { weekday: 'long' },
  weekdayShort: { weekday: 'short' },
  fullDate: { dateStyle: 'full' },
  dayOfYear: { day: '2-digit', month: 'short' },
  month: { month: 'short', year: 'numeric' },
  typedDay: { day: '2-digit', month: '2-digit', year: 'numeric' },
  typedTime: {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

export type DateForm = keyof typeof FORMS;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(form: DateForm, language: Language, zone: string | undefined): Intl.DateTimeFormat {
  const key = `${language} ${form} ${zone}`;
  const timeZone = zone && shownZone(zone);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(LOCALES[language], { ...FORMS[form], timeZone });
  formats.set(key, known);
  return known;
}

type Time = string | number | Date;

/**
 * The only place that writes days and times.
 * @param timeZone IANA: the company's by `useZone`, or the one that the text names. Undefined, which is that of the browser, only
 *   while the company's is not known, and for the hours of a clock that a `Date` of the browser stands for
 */
export function formatTimeAs(
  form: DateForm,
  time: Time,
  language: Language,
  timeZone: string | undefined,
): string {
  return formatOf(form, language, timeZone).format(new Date(time));
}

/** @returns both times, without what they have in common twice. @param timeZone as of formatTimeAs */
export function formatRangeAs(
  form: DateForm,
  [from, until]: readonly [Time, Time],
  language: Language,
  timeZone: string | undefined,
): string {
  return formatOf(form, language, timeZone).formatRange(new Date(from), new Date(until));
}

/** @returns `day`, `month` and `year` in the order in which the language writes them */
export function datePartsOf(language: Language): string[] {
  return formatOf('typedDay', language, 'UTC')
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type) => type !== 'literal');
}

/** @param iso ISO 8601. @param timeZone as of formatTimeAs. @returns day and time; an empty text for null */
export function formatDateTime(
  iso: string | null | undefined,
  language: Language,
  timeZone: string | undefined,
): string {
  return iso ? formatTimeAs('dateTime', iso, language, timeZone) : '';
}

/** @param iso ISO 8601. @param timeZone as of formatTimeAs. @returns the day; an empty text for null */
export function formatDate(
  iso: string | null | undefined,
  language: Language,
  timeZone: string | undefined,
): string {
  return iso ? formatTimeAs('date', iso, language, timeZone) : '';
}

/** @param iso ISO 8601. @param timeZone as of formatTimeAs. @returns the time of day, with seconds; an empty text for null */
export function formatTime(
  iso: string | null | undefined,
  language: Language,
  timeZone: string | undefined,
): string {
  return iso ? formatTimeAs('time', iso, language, timeZone) : '';
}
