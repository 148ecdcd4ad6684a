import { plural } from '../plural';

/** Words for waiting times, which customers are told and staff read. */
export const wait = {
  underMinute: 'less than a minute',
  about: (time: string) => `about ${time}`,
  upTo: (time: string) => `up to ${time}`,
  minutes: (low: string, high: string) => `${low} to ${high} minutes`,
  between: (low: string, high: string) => `${low} to ${high}`,
  minute: (n: string, count: number) => `${n} ${plural(count, 'minute', 'minutes')}`,
  hour: (n: string, count: number) => `${n} ${plural(count, 'hour', 'hours')}`,
  hourAndMinutes: (hours: string, minutes: string) => `${hours} h ${minutes} min`,
};

export type WaitTexts = typeof wait;
