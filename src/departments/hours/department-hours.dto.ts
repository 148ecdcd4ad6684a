import { ObjectField, TextField, TimestampField } from '../../platform/http/input/fields';
import { DateFilter } from '../../platform/http/lists/date-filter';
import { MAX_RANGE_DAYS } from './hours-range';

export class HoursQuery {
  @DateFilter('From this time, by default now', "a day in the hours' time zone")
  from?: string;

  @DateFilter(
    `Until this time, by default 7 days later, ${MAX_RANGE_DAYS} at most; the whole day is included`,
    "a day in the hours' time zone",
  )
  to?: string;
}

/** A time during which a department is open. */
export class OpenPeriodDto {
  @TimestampField({ example: '2026-01-30T12:00:00.000Z' })
  opens_at: string;

  @TimestampField({ example: '2026-01-30T21:00:00.000Z', description: 'Exclusive' })
  closes_at: string;
}

export class DepartmentHoursDto {
  @TextField({ example: 'America/Sao_Paulo', description: 'The IANA name of the time zone of the hours' })
  timezone: string;

  @ObjectField(() => OpenPeriodDto, {
    list: true,
    description: 'Sorted, joined across midnight, and cut off at the ends of the range',
  })
  intervals: OpenPeriodDto[];
}
