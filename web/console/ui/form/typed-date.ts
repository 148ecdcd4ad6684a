import type { Language } from '../../../shared/texts/texts';
import { datePartsOf, formatTimeAs } from '../dates';

/** A day, `2026-01-31`, or a time on the wall of some zone, `2026-01-31T09:30`. */
export type TypedDate = string;

const DAY_LENGTH = 10;
/** Of a part of a date without signs between the numbers. */
const DIGITS: Readonly<Record<string, number>> = { year: 4, month: 2, day: 2 };

/** @returns the day or time as the language writes it in a field; an empty text for an empty one */
export function formatTyped(value: TypedDate, language: Language): string {
  if (value === '') return '';
  // As if it were UTC, so that no zone changes it.
  const form = value.length > DAY_LENGTH ? 'typedTime' : 'typedDay';
  return formatTimeAs(form, `${value.slice(0, 16)}${form === 'typedTime' ? 'Z' : ''}`, language, 'UTC');
}

/**
 * @param text as the language writes it, with any signs between the numbers or none, or in ISO 8601
 * @returns null for a text that is no whole day or, with `withTime`, no day with a time
 */
export function parseTyped(text: string, language: Language, withTime: boolean): TypedDate | null {
  const numbers = withoutSigns(text.trim(), language, withTime) ?? text.match(/\d+/g) ?? [];
  if (numbers.length !== (withTime ? 5 : 3)) return null;
  const order = numbers[0]?.length === 4 ? ['year', 'month', 'day'] : datePartsOf(language);
  const part = (name: string) => numbers[order.indexOf(name)] ?? '';
  if (part('year').length !== 4) return null;
  const [hour = '', minute = ''] = numbers.slice(3);
  const day = [part('year'), padded(part('month')), padded(part('day'))].join('-');
  const value = withTime ? `${day}T${padded(hour)}:${padded(minute)}` : day;
  return isReal(value) ? value : null;
}

/** @returns the numbers of a text of bare digits: the number pads of some phones have no other signs */
function withoutSigns(text: string, language: Language, withTime: boolean): string[] | null {
  const lengths = [...datePartsOf(language).map((part) => DIGITS[part]), ...(withTime ? [2, 2] : [])];
  const pattern = new RegExp(`^${lengths.map((length) => `(\\d{${length}})`).join('')}$`);
  return pattern.exec(text)?.slice(1) ?? null;
}

const padded = (number: string): string => number.padStart(2, '0');

/** The 31st of February becomes another day, and no longer equals what was typed. */
function isReal(value: TypedDate): boolean {
  const time = Date.parse(value.length > DAY_LENGTH ? `${value}Z` : value);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}
