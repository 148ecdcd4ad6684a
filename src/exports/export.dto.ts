import { OmitType } from '@nestjs/swagger';
import { AccessLinkListQuery } from '../access-links/access-link.dto';
import { CallListQuery } from '../calls/call-list.dto';
import { CustomerListQuery } from '../customers/customer.dto';

/** An export has the filters and the order of its list, but no pages. */
const PAGE_FIELDS = ['page', 'page_size'] as const;

export class CallExportQuery extends OmitType(CallListQuery, PAGE_FIELDS) {}

export class CustomerExportQuery extends OmitType(CustomerListQuery, PAGE_FIELDS) {}

export class AccessLinkExportQuery extends OmitType(AccessLinkListQuery, PAGE_FIELDS) {}

export type ExportQuery = CallExportQuery | CustomerExportQuery | AccessLinkExportQuery;

/** The names of the filters that a query sets. */
export function filtersOf(query: ExportQuery): string[] {
  const { sort_by: _by, sort_order: _order, ...filters } = query;
  return Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
}
