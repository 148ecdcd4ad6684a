import { IntersectionType, OmitType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { AccessLinkListQuery } from '../access-links/access-link.dto';
import { CallListQuery } from '../calls/call-list.dto';
import { CustomerListQuery } from '../customers/customer.dto';
import type { CsvSeparator } from './copy-out';
import { BooleanFilter, QueryFilter } from '../platform/http/lists/query-filters';

/** An export has the filters and the order of its list, but no pages. */
const PAGE_FIELDS = ['page', 'page_size'] as const;

const SEPARATORS = { comma: ',', semicolon: ';' } as const;

/** How the file is written. Spreadsheets of Brazil and of most of Europe expect semicolons, and Excel the byte order mark. */
class CsvFormat {
  @QueryFilter(
    { enum: Object.keys(SEPARATORS), default: 'comma', description: 'Between the cells of a row' },
    IsIn(Object.keys(SEPARATORS)),
  )
  separator?: keyof typeof SEPARATORS;

  @BooleanFilter('Whether the file begins with the byte order mark of UTF-8; default false')
  bom?: boolean;
}

export class CallExportQuery extends IntersectionType(OmitType(CallListQuery, PAGE_FIELDS), CsvFormat) {}

export class CustomerExportQuery extends IntersectionType(
  OmitType(CustomerListQuery, PAGE_FIELDS),
  CsvFormat,
) {}

export class AccessLinkExportQuery extends IntersectionType(
  OmitType(AccessLinkListQuery, PAGE_FIELDS),
  CsvFormat,
) {}

export type ExportQuery = CallExportQuery | CustomerExportQuery | AccessLinkExportQuery;

/** The names of the filters that a query sets. */
export function filtersOf(query: ExportQuery): string[] {
  const { sort_by: _by, sort_order: _order, separator: _separator, bom: _bom, ...filters } = query;
  return Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
}

export const separatorOf = ({ separator = 'comma' }: CsvFormat): CsvSeparator => SEPARATORS[separator];
