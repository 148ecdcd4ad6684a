import { WEEKDAYS, type WallInterval, type ZonedHours } from '../../../src/departments/hours/opening-hours';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/** @returns the date (YYYY-MM-DD) some days later, or earlier */
export const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);

/** The minutes of one local day: an index into the minutes of the range, and their local times. */
interface Day {
  date: string;
  first: number;
  times: string[];
}

/** Finds the open periods of some days by looking at each minute's local time, which Intl computes. */
export class MinuteOracle {
  readonly from: Date;
  readonly to: Date;
  private readonly days: Day[] = [];

  /** @param first the first local date */
  constructor(timezone: string, first: string, count: number) {
    const local = new Intl.DateTimeFormat('sv-SE', {
      timeZone: timezone,
      dateStyle: 'short',
      timeStyle: 'short',
    });
    const end = dayAfter(first, count);
    let index = 0;
    let start: number | undefined;
    for (let time = Date.parse(first) - DAY_MS; ; time += MINUTE_MS) {
      const [date = '', text = ''] = local.format(time).split(' ');
      if (date < first) continue;
      if (date >= end) break;
      start ??= time;
      if (this.days.at(-1)?.date !== date) this.days.push({ date, first: index, times: [] });
      this.days.at(-1)?.times.push(text);
      index++;
    }
    this.from = new Date(start ?? 0);
    this.to = this.at(index);
  }

  /** The periods of the range, joined, as pairs of their beginning and end. */
  periodsOf(hours: ZonedHours): [Date, Date][] {
    const isOpen: boolean[] = [];
    for (const day of this.days) {
      for (const [from, to] of intervalsOf(hours, day.date)) {
        const start = day.times.findIndex((time) => time >= from);
        const end = start < 0 ? 0 : endOf(day, to);
        for (let minute = start; minute < end; minute++) isOpen[day.first + minute] = true;
      }
    }
    const periods: [Date, Date][] = [];
    isOpen.forEach((_, index) => {
      const current = periods.at(-1);
      if (current && isOpen[index - 1]) current[1] = this.at(index + 1);
      else periods.push([this.at(index), this.at(index + 1)]);
    });
    return periods;
  }

  private at(index: number): Date {
    return new Date(this.from.getTime() + index * MINUTE_MS);
  }
}

/** The last minute with this local time; where clocks skip it, the one after the last earlier time. */
function endOf({ times }: Day, to: string): number {
  const last = times.lastIndexOf(to);
  return last >= 0 ? last : times.findLastIndex((time) => time < to) + 1;
}

function intervalsOf({ weekly, exceptions }: ZonedHours, date: string): WallInterval[] {
  const exception = exceptions.find((one) => one.date === date);
  const weekday = WEEKDAYS[(new Date(date).getUTCDay() + 6) % 7];
  return exception?.intervals ?? (weekday ? weekly[weekday] : []);
}
