import { instantsOf } from '../../platform/clock/time-zone';
import { END_OF_DAY } from './opening-hours';

/** When a local time of opening is reached, in milliseconds since 1970: its first occurrence, where clocks go back. */
export const openingInstant = (date: string, time: string, zone: string): number =>
  Math.min(...instantsOf(date, time, zone));

/** As openingInstant, for a local time of closing: its last occurrence. "24:00" is the end of the day, which occurs once. */
export const closingInstant = (date: string, time: string, zone: string): number =>
  time === END_OF_DAY ? openingInstant(date, time, zone) : Math.max(...instantsOf(date, time, zone));
