import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsUUID, Length } from 'class-validator';

const MAX_SEARCH_LENGTH = 255;

/** A query parameter that filters by an id. */
export function IdFilter(description?: string): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional({ format: 'uuid', description }), IsOptional(), IsUUID());
}

/** A query parameter that filters by a part of a text. */
export function SearchFilter(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ maxLength: MAX_SEARCH_LENGTH, description }),
    IsOptional(),
    Length(0, MAX_SEARCH_LENGTH),
  );
}
