import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import type { PageRequest } from '../../database/page';
import { LowerCase } from '../input/fields';

/** The `meta` of a list's response. */
export class PageMeta {
  @ApiProperty({ type: 'integer', example: 1 })
  current_page: number;

  @ApiProperty({ type: 'integer', example: 20 })
  page_size: number;

  @ApiProperty({ type: 'integer', example: 3 })
  total_pages: number;

  @ApiProperty({
    type: 'integer',
    example: 42,
    description: 'Exact; above 1,000 matches it may be up to 5 seconds old.',
  })
  total_count: number;
}

/** Long numbers lose digits as a JavaScript number; the parameters have a maximum far below. */
const DECIMAL = /^-?\d+$/;

/** Converts the text of a query parameter to an integer, as `parseDecimal` does. */
const DecimalParam = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => parseDecimal(value));

/**
 * The integer that a text of decimal digits represents: `Number` would accept `0x10` and `1e1`, too.
 * @returns NaN for any other text; a value that is not a text unchanged. `@IsInt` rejects both.
 */
export function parseDecimal(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return DECIMAL.test(value) ? Number(value) : Number.NaN;
}

/** The query parameters of a list that has none, so that a filter that it does not have is refused. */
export class NoParameters {}

/** The query parameters of every list. A list derives its class from `pageQuery`. */
export abstract class PageQuery implements PageRequest {
  @ApiPropertyOptional({ type: 'integer', default: 1, minimum: 1 })
  @IsOptional()
  @DecimalParam()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  page: number = 1;

  @ApiPropertyOptional({
    type: 'integer',
    default: 20,
    minimum: 1,
    description: 'Values above 100 are treated as 100.',
  })
  @IsOptional()
  @DecimalParam()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  page_size: number = 20;

  sort_by: string;

  sort_order: 'asc' | 'desc';
}

/** Makes the class of a list's query parameters, whose sort_by is one of `columns`. */
export function pageQuery<Column extends string>(
  columns: readonly Column[],
  defaults: { sort_by: Column; sort_order: 'asc' | 'desc' },
): Type<PageQuery & { sort_by: Column }> {
  class SortedPageQuery extends PageQuery {
    @ApiPropertyOptional({ enum: columns, default: defaults.sort_by })
    @IsOptional()
    @IsIn(columns)
    override sort_by: Column = defaults.sort_by;

    @ApiPropertyOptional({
      enum: ['asc', 'desc'],
      default: defaults.sort_order,
      description: 'In upper or lower case',
    })
    @IsOptional()
    @LowerCase()
    @IsIn(['asc', 'desc'])
    override sort_order: 'asc' | 'desc' = defaults.sort_order;
  }
  return SortedPageQuery;
}
