import type { Language } from '../../shared/texts/texts';
import type { Texts } from '../texts/texts';

/** From here on one says hours. */
const MINUTES_UNTIL_HOURS = 90;

/** How long the wait will be, in words. @param range in seconds, rounded by the service to what one would say */
export function waitText(
  { low, high }: { low: number; high: number },
  { range }: Pick<Texts, 'range'>,
  language: Language,
): string {
  const [from, to] = [Math.floor(low / 60), Math.ceil(high / 60)];
  if (high < 60) return range.underMinute;
  if (from < 1) return range.upTo(durationText(to, range, language));
  if (from === to) return range.about(durationText(to, range, language));
  if (to < MINUTES_UNTIL_HOURS) return range.minutes(number(from, language), number(to, language));
  return range.between(durationText(from, range, language), durationText(to, range, language));
}

/** @param minutes at least 1 */
export function durationText(minutes: number, range: Texts['range'], language: Language): string {
  if (minutes < MINUTES_UNTIL_HOURS) return range.minute(number(minutes, language), minutes);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (rest === 0) return range.hour(number(hours, language), hours);
  return range.hourAndMinutes(number(hours, language), number(rest, language));
}

export const number = (value: number, language: Language): string =>
  new Intl.NumberFormat(language).format(value);
