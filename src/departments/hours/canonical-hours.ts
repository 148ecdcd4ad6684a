import { Injectable } from '@nestjs/common';
import { invalidField } from '../../platform/http/errors/api-error';
import { Timezones } from '../../tenancy/timezones';
import { type OpeningHours, WEEKDAYS } from './opening-hours';
import type { OpeningHoursInput } from './opening-hours.dto';
import { sortIntervals } from './wall-intervals.rules';

/** The one form in which opening hours are stored, so that equal hours are equal. */
@Injectable()
export class CanonicalHours {
  constructor(private readonly timezones: Timezones) {}

  /** @returns null for null, undefined for undefined. @throws 422 for an unknown time zone */
  async of<None extends null | undefined>(input: OpeningHoursInput | None): Promise<OpeningHours | None> {
    if (!input) return input;
    const { timezone, weekly, exceptions } = input;
    if (timezone && !(await this.timezones.isKnown(timezone))) {
      throw invalidField(
        'opening_hours.timezone',
        'must be the IANA name of a time zone, such as Europe/Berlin',
      );
    }
    return {
      timezone: timezone || null,
      weekly: Object.fromEntries(
        WEEKDAYS.map((day) => [day, sortIntervals(weekly[day] ?? [])]),
      ) as OpeningHours['weekly'],
      exceptions: (exceptions ?? [])
        .map(({ date, intervals, label }) => ({
          date,
          intervals: sortIntervals(intervals),
          label: label ?? null,
        }))
        .toSorted((one, other) => (one.date < other.date ? -1 : 1)),
    };
  }
}
