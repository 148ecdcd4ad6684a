import type { components } from '../../../../shared/api/client';
import type { Department } from '../../../state/use-departments';

export type OpeningHours = components['schemas']['OpeningHoursDto'];
export type Weekday = (typeof WEEKDAYS)[number];

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** As two fields for times: the end of the day is `00:00`, as on a clock. */
export interface Period {
  from: string;
  to: string;
}

export interface HoursException {
  date: string;
  label: string;
  intervals: Period[];
}

export interface HoursValues {
  isAlwaysOpen: boolean;
  /** Empty for that of the company. */
  timezone: string;
  weekly: Record<Weekday, Period[]>;
  exceptions: HoursException[];
}

const END_OF_DAY = '24:00';
const MIDNIGHT = '00:00';

export type HoursForm = HoursValues & Pick<Department, 'on_close'> & { closed_message: string };

/** The usual hours of an office, to begin with. */
const OFFICE: Period = { from: '09:00', to: '18:00' };

export function toValues(hours: OpeningHours | null): HoursValues {
  return {
    isAlwaysOpen: hours === null,
    timezone: hours?.timezone ?? '',
    weekly: byWeekday((day) =>
      hours ? hours.weekly[day].map(toPeriod) : isWorkday(day) ? [{ ...OFFICE }] : [],
    ),
    exceptions: (hours?.exceptions ?? []).map(({ date, label, intervals }) => ({
      date,
      label: label ?? '',
      intervals: intervals.map(toPeriod),
    })),
  };
}

/** @returns what the API takes */
export function toHours(values: HoursValues) {
  if (values.isAlwaysOpen) return null;
  return {
    timezone: values.timezone || null,
    weekly: byWeekday((day) => values.weekly[day].map(toInterval)),
    exceptions: values.exceptions.map(({ date, label, intervals }) => ({
      date,
      label: label || null,
      intervals: intervals.map(toInterval),
    })),
  };
}

/** The period for a further field: after the last one if the day has time left. */
export function nextPeriod(periods: readonly Period[]): Period {
  const last = periods.at(-1);
  return last ? { from: last.to, to: MIDNIGHT } : { ...OFFICE };
}

/** @returns the week with the hours of one day on all working days */
export function copyToWorkdays(weekly: HoursValues['weekly'], from: Weekday): HoursValues['weekly'] {
  return byWeekday((day) => (isWorkday(day) ? weekly[from] : weekly[day]).map((period) => ({ ...period })));
}

const isWorkday = (day: Weekday): boolean => day !== 'sat' && day !== 'sun';

const toPeriod = ([from = '', to = '']: string[]): Period => ({
  from,
  to: to === END_OF_DAY ? MIDNIGHT : to,
});

const toInterval = ({ from, to }: Period): string[] => [from, to === MIDNIGHT ? END_OF_DAY : to];

function byWeekday<T>(of: (day: Weekday) => T): Record<Weekday, T> {
  return Object.fromEntries(WEEKDAYS.map((day) => [day, of(day)])) as Record<Weekday, T>;
}
