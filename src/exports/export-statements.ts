import type { AccessLinkDto } from '../access-links/access-link.dto';
import { callListSource } from '../calls/staff/call-list';
import { CALL_COLUMNS } from '../calls/call.columns';
import type { CallListItemDto } from '../calls/call-list.dto';
import type { CustomerDto } from '../customers/customer.dto';
import { customerListSource } from '../customers/customer-list';
import { pickColumns, selectList } from '../platform/database/columns';
import { naturalOrder } from '../platform/database/natural-order';
import type { TimeRange } from '../platform/http/lists/date-filter';
import type { Principal } from '../platform/access/principal';
import { csvStatement, type CellKind, type CsvColumns } from './csv-cells';
import {
  type AccessLinkExportQuery,
  type CallExportQuery,
  type CustomerExportQuery,
  type ExportQuery,
  separatorOf,
} from './export.dto';
import { ListSource, sortedStatement } from '../platform/database/list-statements';
import { Statement } from '../platform/database/statement';

/** Read after the calls are sorted, so that the first row does not wait for the tags of all calls. */
const TAGS = `(SELECT string_agg(t.name, '; ' ORDER BY ${naturalOrder('t.name')}, t.id)
  FROM call_tags ct JOIN tags t ON t.id = ct.tag_id WHERE ct.call_id = listed.id)`;

const CALL_CELLS = {
  id: 'plain',
  status: 'plain',
  department_id: 'plain',
  department_name: 'text',
  user_id: 'plain',
  user_name: 'text',
  customer_id: 'plain',
  customer_name: 'text',
  customer_email: 'text',
  customer_phone: 'phone',
  identity_confirmed: 'boolean',
  duration: 'plain',
  wait_time: 'plain',
  estimated_wait_time: 'plain',
  estimated_wait_low: 'plain',
  estimated_wait_high: 'plain',
  rating: 'plain',
  rating_comment: 'text',
  reason: 'text',
  end_reason: 'plain',
  notes: 'text',
  tags: 'text',
  has_recording: 'boolean',
  chat_message_count: 'plain',
  callback_status: 'plain',
  callback_invited_until: 'timestamp',
  started_at: 'timestamp',
  completed_at: 'timestamp',
  ended_at: 'timestamp',
  inserted_at: 'timestamp',
  overflow_department_id: 'plain',
  overflowed_at: 'timestamp',
} satisfies Record<
  Exclude<keyof CallListItemDto, 'callback' | 'estimated_wait_range' | 'device_report'>,
  CellKind
> &
  Partial<Record<keyof typeof CALL_COLUMNS, CellKind>>;

const { tags: _tags, ...CALL_CELLS_WITHOUT_TAGS } = CALL_CELLS;
const CALL_SELECT = selectList(
  pickColumns(CALL_COLUMNS, Object.keys(CALL_CELLS_WITHOUT_TAGS) as (keyof typeof CALL_CELLS_WITHOUT_TAGS)[]),
);

const CUSTOMER_CELLS = {
  id: 'plain',
  name: 'text',
  email: 'text',
  phone: 'phone',
  document: 'text',
  notes: 'text',
  metadata: 'json',
  call_count: 'plain',
  last_call_at: 'timestamp',
  inserted_at: 'timestamp',
  updated_at: 'timestamp',
} satisfies Record<keyof CustomerDto, CellKind>;

const ACCESS_LINK_CELLS = {
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
  valid_from: 'timestamp',
  expires_at: 'timestamp',
  priority: 'plain',
  skills: 'plain',
  created_by: 'plain',
  inserted_at: 'timestamp',
} satisfies Record<keyof AccessLinkDto, CellKind>;

const statement = (source: ListSource, query: ExportQuery, columns: CsvColumns): Statement =>
  csvStatement(sortedStatement(source, query), columns, separatorOf(query));

/** The calls that the user may see, with their tags. */
export function callStatement(user: Principal, query: CallExportQuery, range: TimeRange): Statement {
  const calls = sortedStatement({ ...callListSource(user, query, range), select: CALL_SELECT }, query);
  // OFFSET 0 keeps PostgreSQL from inlining the tags, which would read them once for each mention in the cell's SQL.
  const text = `SELECT listed.*, ${TAGS} AS tags FROM (${calls.text}) AS listed OFFSET 0`;
  return csvStatement({ ...calls, text }, CALL_CELLS, separatorOf(query));
}

export const customerStatement = (user: Principal, query: CustomerExportQuery, range: TimeRange): Statement =>
  statement(customerListSource(user, query, range), query, CUSTOMER_CELLS);

export const accessLinkStatement = (source: ListSource, query: AccessLinkExportQuery): Statement =>
  statement(source, query, ACCESS_LINK_CELLS);
