import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsISO8601, IsOptional, Matches } from 'class-validator';
import { isDateOnly, MOMENT, momentOf } from '../input/moment';

const DAY_MS = 86_400_000;

/** A query parameter that bounds a list by time. */
export function DateFilter(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description: `ISO 8601: ${description}`, example: '2026-01-31' }),
    IsOptional(),
    Matches(MOMENT, { message: '$property must be an ISO 8601 date' }),
    IsISO8601({ strict: true }, { message: '$property must be an ISO 8601 date' }),
  );
}

/** The first moment that a `date_from` includes. */
export function fromMoment(date: string | undefined): Date | undefined {
  return date === undefined ? undefined : momentOf(date);
}

/** The first moment that a `date_to` no longer includes: a bare date means its whole UTC day. */
export function untilMoment(date: string | undefined): Date | undefined {
  if (date === undefined) return undefined;
  return new Date(momentOf(date).getTime() + (isDateOnly(date) ? DAY_MS : 1));
}
