import { IsObject, ValidateNested } from 'class-validator';
import {
  ChoiceField,
  DateField,
  ObjectField,
  ObjectListField,
  TextField,
} from '../../platform/http/input/fields';
import { ON_CLOSE, type OnClose, type WallInterval, type Weekday, WEEKDAYS } from './opening-hours';
import { IntervalsField, OFFICE_HOURS, WeekdayFields } from './intervals-field';

const MAX_EXCEPTIONS = 100;

const OPENING_HOURS = 'Null: always open';
const ON_CLOSE_DESCRIPTION =
  'What happens to the waiting calls at closing: keep: they are served; end: they are abandoned, and their customers get ' +
  '`queue_closing` ten minutes before. Appointments are always served';
const TIMEZONE = 'IANA name; null for that of the company';
const EXCEPTIONS = 'Days whose hours replace those of the week; each date once';

const WEEKLY_EXAMPLE = Object.fromEntries(
  WEEKDAYS.map((day) => [day, day === 'sat' || day === 'sun' ? [] : OFFICE_HOURS]),
);
const HOURS_EXAMPLE = {
  timezone: 'Europe/Berlin',
  weekly: WEEKLY_EXAMPLE,
  exceptions: [{ date: '2026-12-25', intervals: [], label: 'Christmas' }],
};

/** Days without hours are closed. */
@WeekdayFields({ optional: true })
export class WeeklyHoursInput implements Partial<Record<Weekday, WallInterval[] | null>> {
  mon?: WallInterval[] | null;
  tue?: WallInterval[] | null;
  wed?: WallInterval[] | null;
  thu?: WallInterval[] | null;
  fri?: WallInterval[] | null;
  sat?: WallInterval[] | null;
  sun?: WallInterval[] | null;
}

@WeekdayFields()
export class WeeklyHoursDto implements Record<Weekday, WallInterval[]> {
  mon: WallInterval[];
  tue: WallInterval[];
  wed: WallInterval[];
  thu: WallInterval[];
  fri: WallInterval[];
  sat: WallInterval[];
  sun: WallInterval[];
}

export class HoursExceptionDto {
  @DateField()
  date: string;

  @IntervalsField()
  intervals: WallInterval[];

  @TextField({ max: 100, optional: true, example: 'Christmas' })
  label: string | null;
}

/** The same in requests: schemas of responses have no limits. */
export class HoursExceptionInput extends HoursExceptionDto {}

export class OpeningHoursInput {
  @TextField({ max: 100, optional: true, example: 'Europe/Berlin', description: TIMEZONE })
  timezone?: string | null;

  @ObjectField(() => WeeklyHoursInput, { example: WEEKLY_EXAMPLE })
  @IsObject()
  @ValidateNested()
  weekly: WeeklyHoursInput;

  @ObjectListField(() => HoursExceptionInput, {
    max: MAX_EXCEPTIONS,
    key: 'date',
    optional: true,
    example: HOURS_EXAMPLE.exceptions,
    description: `${EXCEPTIONS}; at most ${MAX_EXCEPTIONS}`,
  })
  exceptions?: HoursExceptionInput[] | null;
}

export class OpeningHoursDto {
  @TextField({ optional: true, example: 'Europe/Berlin', description: TIMEZONE })
  timezone: string | null;

  @ObjectField(() => WeeklyHoursDto, { example: WEEKLY_EXAMPLE })
  weekly: WeeklyHoursDto;

  @ObjectField(() => HoursExceptionDto, {
    list: true,
    example: HOURS_EXAMPLE.exceptions,
    description: EXCEPTIONS,
  })
  exceptions: HoursExceptionDto[];
}

const CLOSED_MESSAGE = 'Plain text for customers who come while the department is closed';
const CLOSED_MESSAGE_EXAMPLE = 'In an emergency, call +55 11 4000-1234.';

/** When a new department is open. */
export class DepartmentHoursInput {
  @ObjectField(() => OpeningHoursInput, {
    optional: true,
    example: HOURS_EXAMPLE,
    description: OPENING_HOURS,
  })
  @ValidateNested()
  opening_hours?: OpeningHoursInput | null;

  @TextField({ max: 500, optional: true, example: CLOSED_MESSAGE_EXAMPLE, description: CLOSED_MESSAGE })
  closed_message?: string | null;

  @ChoiceField(ON_CLOSE, { optional: true, default: 'keep', description: ON_CLOSE_DESCRIPTION })
  on_close?: OnClose | null;
}

/** When a department is open. */
export class DepartmentHoursFields {
  @ObjectField(() => OpeningHoursDto, { optional: true, example: HOURS_EXAMPLE, description: OPENING_HOURS })
  opening_hours: OpeningHoursDto | null;

  @TextField({ max: 500, optional: true, example: CLOSED_MESSAGE_EXAMPLE, description: CLOSED_MESSAGE })
  closed_message: string | null;

  @ChoiceField(ON_CLOSE, { description: ON_CLOSE_DESCRIPTION })
  on_close: OnClose;
}
