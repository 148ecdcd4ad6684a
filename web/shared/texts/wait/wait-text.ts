import type { Language } from '../texts';
import type { WaitTexts } from './en';

/** From here on one says hours. */
const MINUTES_UNTIL_HOURS = 90;
/** From here on an estimate is not exact to the minute. */
const MINUTES_UNTIL_STEPS = 15;
const STEP_MINUTES = 5;

/** What the service says of a wait, in seconds. */
export interface SaidWait {
  estimate: number;
  /** Rounded by the service to what one would say; null until it has learned how far its estimates may be wrong. */
  range: { low: number; high: number } | null;
}

/** How long the wait will be, in words. */
export function waitText({ estimate, range }: SaidWait, texts: WaitTexts, language: Language): string {
  if (!range) return aboutText(estimate, texts, language);
  const { low, high } = range;
  const [from, to] = [Math.floor(low / 60), Math.ceil(high / 60)];
  if (high < 60) return texts.underMinute;
  if (from < 1) return texts.upTo(durationText(to, texts, language));
  if (from === to) return texts.about(durationText(to, texts, language));
  if (to < MINUTES_UNTIL_HOURS) return texts.minutes(number(from, language), number(to, language));
  return texts.between(durationText(from, texts, language), durationText(to, texts, language));
}

function aboutText(seconds: number, texts: WaitTexts, language: Language): string {
  const step = seconds < MINUTES_UNTIL_STEPS * 60 ? 1 : STEP_MINUTES;
  const minutes = Math.ceil(seconds / 60 / step) * step;
  // An estimate whose errors are not known is not exact to the second.
  return texts.about(durationText(Math.max(1, minutes), texts, language));
}

/** @param minutes at least 1 */
export function durationText(minutes: number, texts: WaitTexts, language: Language): string {
  if (minutes < MINUTES_UNTIL_HOURS) return texts.minute(number(minutes, language), minutes);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (rest === 0) return texts.hour(number(hours, language), hours);
  return texts.hourAndMinutes(number(hours, language), number(rest, language));
}

export const number = (value: number, language: Language): string =>
  new Intl.NumberFormat(language).format(value);
