import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsISO8601, IsOptional, Matches } from 'class-validator';

const DAY_MS = 86_400_000;
const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;
/** A date, or a date with a time and its zone; without a zone it is UTC. */
const SHAPE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A query parameter that bounds a list by time. */
export function DateFilter(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description: `ISO 8601: ${description}`, example: '2026-01-31' }),
    IsOptional(),
    Matches(SHAPE, { message: '$property must be an ISO 8601 date' }),
    IsISO8601({ strict: true }, { message: '$property must be an ISO 8601 date' }),
  );
}

/** The first moment that a `date_from` includes. */
export function fromMoment(date: string | undefined): Date | undefined {
  return date === undefined ? undefined : parse(date);
}

/** The first moment that a `date_to` no longer includes: a bare date means its whole UTC day. */
export function untilMoment(date: string | undefined): Date | undefined {
  if (date === undefined) return undefined;
  return new Date(parse(date).getTime() + (DATE_ONLY.test(date) ? DAY_MS : 1));
}

function parse(date: string): Date {
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/.test(date) && date.includes('T');
  // A space is what an unescaped + in a query becomes; the shape above has refused it already.
  return new Date(DATE_ONLY.test(date) || hasZone ? date : `${date}Z`);
}
