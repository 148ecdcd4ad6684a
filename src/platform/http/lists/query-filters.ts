import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, IsUUID, MaxLength } from 'class-validator';
import { LowerCase } from '../input/fields';

const MAX_SEARCH_LENGTH = 255;

/** The values of a boolean in a query string. */
const BOOLEANS: Record<string, boolean> = { true: true, false: false };

/**
 * Declares an optional query parameter that limits a list. An empty one, which HTML forms send for a field that was not
 * filled in, is ignored.
 */
export function QueryFilter(schema: ApiPropertyOptions, ...checks: PropertyDecorator[]): PropertyDecorator {
  const blankIsAbsent = Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value));
  return applyDecorators(ApiPropertyOptional(schema), IsOptional(), blankIsAbsent, ...checks);
}

/** A query parameter that filters by an id, converted to lower case. */
export function IdFilter(description?: string): PropertyDecorator {
  return QueryFilter({ format: 'uuid', description }, LowerCase(), IsUUID());
}

/** A query parameter that filters by a part of a text. */
export function SearchFilter(description: string): PropertyDecorator {
  return QueryFilter({ maxLength: MAX_SEARCH_LENGTH, description }, MaxLength(MAX_SEARCH_LENGTH));
}

/** A query parameter that filters by one of several words. */
export function ChoiceFilter(choices: readonly string[]): PropertyDecorator {
  return QueryFilter({ enum: [...choices] }, IsIn(choices));
}

/** A query parameter that filters by true or false. */
export function BooleanFilter(description?: string): PropertyDecorator {
  const parse = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && Object.hasOwn(BOOLEANS, value) ? BOOLEANS[value] : value,
  );
  return QueryFilter({ type: Boolean, description }, parse, IsBoolean());
}
