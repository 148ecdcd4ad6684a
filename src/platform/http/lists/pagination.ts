import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type as Convert } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { Enveloped } from '../enveloped';

const LARGEST_PAGE_SIZE = 100;

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

/** One page of a list, with its place in the whole. */
export class Page<Item> extends Enveloped<Item[], PageMeta> {
  constructor(data: Item[], query: PageQuery, totalCount: number) {
    const { page_size } = pageWindow(query);
    super(data, {
      current_page: query.page,
      page_size,
      total_pages: Math.ceil(totalCount / page_size),
      total_count: totalCount,
    });
  }
}

/** The query parameters that every list takes. Derive a list's own class from `pageQuery`. */
export abstract class PageQuery {
  @ApiPropertyOptional({ type: 'integer', default: 1, minimum: 1 })
  @IsOptional()
  @Convert(() => Number)
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
  @Convert(() => Number)
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  page_size: number = 20;

  sort_by: string;

  sort_order: 'asc' | 'desc';
}

/** A PageQuery whose sort_by is one of `columns`. */
export function pageQuery<Column extends string>(
  columns: readonly Column[],
  defaults: { sort_by: Column; sort_order: 'asc' | 'desc' },
): Type<PageQuery & { sort_by: Column }> {
  class SortedPageQuery extends PageQuery {
    @ApiPropertyOptional({ enum: columns, default: defaults.sort_by })
    @IsOptional()
    @IsIn(columns)
    override sort_by: Column = defaults.sort_by;

    @ApiPropertyOptional({ enum: ['asc', 'desc'], default: defaults.sort_order })
    @IsOptional()
    @IsIn(['asc', 'desc'])
    override sort_order: 'asc' | 'desc' = defaults.sort_order;
  }
  return SortedPageQuery;
}

/** LIMIT and OFFSET of a page. The offset is text: it may be larger than a double holds exactly. */
export function pageWindow(query: Pick<PageQuery, 'page' | 'page_size'>): {
  page_size: number;
  offset: string;
} {
  const page_size = Math.min(query.page_size, LARGEST_PAGE_SIZE);
  return { page_size, offset: String((BigInt(query.page) - 1n) * BigInt(page_size)) };
}
