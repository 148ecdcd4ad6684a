import type { AccessLinkDto } from '../access-links/access-link.dto';
import { callListSource } from '../calls/staff/call-list';
import { CALL_COLUMNS } from '../calls/call.columns';
import type { CallListItemDto } from '../calls/call.dto';
import type { CustomerDto } from '../customers/customer.dto';
import { customerListSource } from '../customers/customer-list';
import { pickColumns, selectList } from '../platform/database/columns';
import type { Statement } from '../platform/database/database';
import { type ListSource, sortedStatement } from '../platform/database/list-query';
import type { PageQuery } from '../platform/http/lists/pagination';
import type { Principal } from '../platform/access/principal';
import { asCells, type Cell, type Columns } from './csv-cells';
import type { CallExportQuery, CustomerExportQuery } from './export.dto';

type Sorting = Pick<PageQuery, 'sort_by' | 'sort_order'>;

/** Looked up after the calls are in their order: the first of them need not wait for the tags of all. */
const TAGS = `(SELECT string_agg(t.name, '; ' ORDER BY t.name, t.id)
  FROM call_tags ct JOIN tags t ON t.id = ct.tag_id WHERE ct.call_id = listed.id)`;

const CALL = {
  id: 'plain',
  status: 'plain',
  department_id: 'plain',
  department_name: 'text',
  user_id: 'plain',
  user_name: 'text',
  customer_id: 'plain',
  customer_name: 'text',
  customer_email: 'text',
  customer_phone: 'text',
  duration: 'plain',
  wait_time: 'plain',
  estimated_wait_time: 'plain',
  rating: 'plain',
  rating_comment: 'text',
  reason: 'text',
  end_reason: 'plain',
  notes: 'text',
  tags: 'text',
  has_recording: 'boolean',
  started_at: 'moment',
  completed_at: 'moment',
  ended_at: 'moment',
  inserted_at: 'moment',
} satisfies Record<keyof CallListItemDto, Cell> & Partial<Record<keyof typeof CALL_COLUMNS, Cell>>;

const { tags: _tags, ...CALL_WITHOUT_TAGS } = CALL;
const CALL_SELECT = selectList(
  pickColumns(CALL_COLUMNS, Object.keys(CALL_WITHOUT_TAGS) as (keyof typeof CALL_WITHOUT_TAGS)[]),
);

const CUSTOMER = {
  id: 'plain',
  name: 'text',
  email: 'text',
  phone: 'text',
  document: 'text',
  notes: 'text',
  metadata: 'plain',
  call_count: 'plain',
  last_call_at: 'moment',
  inserted_at: 'moment',
  updated_at: 'moment',
} satisfies Record<keyof CustomerDto, Cell>;

const ACCESS_LINK = {
  id: 'plain',
  token: 'text',
  url: 'text',
  department_id: 'plain',
  department_name: 'text',
  customer_id: 'plain',
  label: 'text',
  status: 'plain',
  max_uses: 'plain',
  use_count: 'plain',
  expires_at: 'moment',
  created_by: 'plain',
  inserted_at: 'moment',
} satisfies Record<keyof AccessLinkDto, Cell>;

const statement = (source: ListSource, sorting: Sorting, columns: Columns): Statement =>
  asCells(sortedStatement(source, sorting), columns);

/** For the export, and for the benchmark that copies the same. */
export function callStatement(user: Principal, query: CallExportQuery): Statement {
  const calls = sortedStatement({ ...callListSource(user, query), select: CALL_SELECT }, query);
  // OFFSET keeps the tags in a step of their own; they would be looked up wherever the cell speaks of them.
  const text = `SELECT listed.*, ${TAGS} AS tags FROM (${calls.text}) AS listed OFFSET 0`;
  return asCells({ ...calls, text }, CALL);
}

export const customerStatement = (tenantId: string, query: CustomerExportQuery): Statement =>
  statement(customerListSource(tenantId, query), query, CUSTOMER);

export const accessLinkStatement = (source: ListSource, sorting: Sorting): Statement =>
  statement(source, sorting, ACCESS_LINK);
