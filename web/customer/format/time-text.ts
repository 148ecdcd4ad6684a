import type { Language } from '../../shared/texts/texts';
import { isKnownZone } from '../../shared/zones';
import type { Texts } from '../texts/texts';

const MS_PER_DAY = 86_400_000;

interface Reader {
  language: Language;
  /** IANA zone of the reader's device. */
  zone: string;
  now: number;
}

/** Brazilian Portuguese: the only one that the texts are written in. */
const localeOf = (language: Language): string => (language === 'pt' ? 'pt-BR' : language);

/**
 * An hour of the department in its own zone, which is named if the reader's clock shows another hour; in the reader's zone, with
 * its name, if the reader's browser does not know that of the department.
 */
export function hourText(iso: string, zone: string, { language, zone: readers }: Reader): string {
  const date = new Date(iso);
  const shown = isKnownZone(zone) ? zone : readers;
  const hour = timeIn(date, shown, language);
  const isPlain = shown === zone && hour === timeIn(date, readers, language);
  return isPlain ? hour : `${hour} (${zoneName(date, shown, language)})`;
}

/** The time on the reader's own clock, to the second. */
export function secondText(moment: number, { language, zone }: Omit<Reader, 'now'>): string {
  const options = { timeStyle: 'medium', timeZone: zone } as const;
  return new Intl.DateTimeFormat(localeOf(language), options).format(moment);
}

/** As hourText, with the day: today, tomorrow, or the weekday and the date. */
export function dayAndHourText(iso: string, zone: string, texts: Texts, reader: Reader): string {
  return texts.closed.dayAt(dayText(new Date(iso), zone, reader), hourText(iso, zone, reader));
}

function dayText(date: Date, departments: string, { language, zone: readers, now }: Reader): string {
  const zone = isKnownZone(departments) ? departments : readers;
  const days = Math.round((dayNumber(date, zone) - dayNumber(new Date(now), zone)) / MS_PER_DAY);
  if (days === 0 || days === 1) {
    return new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' }).format(days, 'day');
  }
  const options = { weekday: 'long', day: 'numeric', month: 'long', timeZone: zone } as const;
  return new Intl.DateTimeFormat(localeOf(language), options).format(date);
}

/** Midnight UTC of the date that a calendar in the zone shows. */
function dayNumber(date: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(date);
  return Date.parse(`${parts}T00:00:00Z`);
}

function timeIn(date: Date, timeZone: string, language: Language): string {
  const hour = language === 'pt' ? '2-digit' : 'numeric';
  const options = { hour, minute: '2-digit', timeZone } as const;
  return new Intl.DateTimeFormat(localeOf(language), options).format(date);
}

function zoneName(date: Date, timeZone: string, language: Language): string {
  const options = { timeZone, timeZoneName: 'longGeneric' } as const;
  const parts = new Intl.DateTimeFormat(localeOf(language), options).formatToParts(date);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** The seconds as a clock shows them: 0:07, 12:34, 1:02:03. */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}

const pad = (value: number) => String(value).padStart(2, '0');
