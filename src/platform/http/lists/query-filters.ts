import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsUUID, Length } from 'class-validator';

const LONGEST_SEARCH = 255;

/** A query parameter that chooses by an id. */
export function IdFilter(description?: string): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional({ format: 'uuid', description }), IsOptional(), IsUUID());
}

/** A query parameter that chooses by a part of some text. */
export function SearchFilter(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ maxLength: LONGEST_SEARCH, description }),
    IsOptional(),
    Length(0, LONGEST_SEARCH),
  );
}
