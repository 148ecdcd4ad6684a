import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import { WEEKDAYS } from './opening-hours';
import { MAX_INTERVALS, problemOfIntervals } from './wall-intervals.rules';

const INTERVALS =
  'Pairs of local times, "HH:MM", without overlaps; the second may be "24:00". None: closed all day';

/** An example of the hours of a day. */
export const OFFICE_HOURS = [
  ['09:00', '12:00'],
  ['13:00', '18:00'],
];
/** The hours of one day. */
export function IntervalsField({ optional = false } = {}): PropertyDecorator {
  const time = { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$' } as const;
  const areIntervals = ValidateBy({
    name: 'areIntervals',
    validator: {
      validate: (value) => problemOfIntervals(value) === undefined,
      defaultMessage: (context) => problemOfIntervals(context?.value) ?? '',
    },
  });
  return applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'array', items: time, minItems: 2, maxItems: 2 },
      maxItems: MAX_INTERVALS,
      required: !optional,
      nullable: optional,
      example: OFFICE_HOURS,
      description: INTERVALS,
    }),
    areIntervals,
    ...(optional ? [IsOptional()] : []),
  );
}

/** Decorates a class that has hours for each day of the week. */
export function WeekdayFields(options: { optional?: boolean } = {}): ClassDecorator {
  return ({ prototype }) => {
    for (const day of WEEKDAYS) IntervalsField(options)(prototype as object, day);
  };
}
