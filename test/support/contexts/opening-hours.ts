import type { Json } from '../http/api';
import type { TestApp } from '../test-app';

const MINUTE_MS = 60_000;

/** The beginning of the minute that is this far from now on the test clock. */
export const minuteFromNow = ({ clock }: TestApp, minutes: number): Date =>
  new Date((Math.floor(clock.now().getTime() / MINUTE_MS) + minutes) * MINUTE_MS);

/** How long a test takes at most until its last minuteFromNow. */
const MAX_TEST_MS = 20_000;

/** Moves the clock to the next minute near the end of one: hours and minutes of one test must not differ by a minute. */
function avoidEndOfMinute({ clock }: TestApp): void {
  const left = MINUTE_MS - (clock.now().getTime() % MINUTE_MS);
  if (left < MAX_TEST_MS) clock.advance(left / 1000);
}

/** Opening hours of one period, given in minutes from now on the test clock; at most a day. */
export function openFor(test: TestApp, from: number, to: number): Json {
  avoidEndOfMinute(test);
  const [start, end] = [minuteFromNow(test, from), minuteFromNow(test, to)].map((at) => at.toISOString());
  const [date, lastDate] = [start, end].map((at) => at?.slice(0, 10));
  const [opening, closing] = [start, end].map((at) => at?.slice(11, 16));
  const parts =
    date === lastDate
      ? [{ date, intervals: [[opening, closing]] }]
      : [
          { date, intervals: [[opening, '24:00']] },
          { date: lastDate, intervals: closing === '00:00' ? [] : [['00:00', closing]] },
        ];
  return { timezone: 'UTC', weekly: {}, exceptions: parts };
}
