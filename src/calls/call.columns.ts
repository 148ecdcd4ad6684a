import {
  type ColumnsOf,
  isoTimestamp,
  pickColumns,
  plainColumns,
  selectList,
} from '../platform/database/columns';
import { naturalOrder } from '../platform/database/natural-order';
import { QUALITY_COLUMN, RECORDING_STATE_COLUMN } from './media/media.columns';
import type { CallDetailsDto } from './call-details.dto';
import { CALL_SORT_COLUMNS, type CallListItemDto } from './call-list.dto';

/** The callback of a call `c` as JSON (CallbackDto); null if the customer never requested one. */
export const CALLBACK_COLUMN = `CASE WHEN c.callback_status IS NOT NULL THEN jsonb_build_object(
    'status', c.callback_status, 'invited_until', ${isoTimestamp('c.callback_invited_until')}) END`;

/**
 * Where the invitation of a call `c` goes: to the address of its callback, and of a call without one to that of the join. Null
 * if neither has one, and if the company informs the customer.
 */
export const CALLBACK_EMAIL_COLUMN = `CASE WHEN c.callback_status IN ('requested', 'invited')
    THEN (SELECT b.email FROM callbacks b WHERE b.tenant_id = c.tenant_id AND b.call_id = c.id) ELSE c.customer_email END`;

/** All columns of a call `c` that lists, exports, personal data or webhook payloads contain. */
export const CALL_COLUMNS = {
  ...plainColumns('c', [
    'id',
    'version',
    'status',
    'department_id',
    'department_name',
    'user_id',
    'user_name',
    'reserved_user_id',
    'access_link_id',
    'customer_id',
    'identity_confirmed',
    'customer_name',
    'customer_email',
    'customer_phone',
    'reason',
    'estimated_wait_time',
    'estimated_wait_low',
    'estimated_wait_high',
    'wait_time',
    'duration',
    'unanswered_count',
    'rating',
    'rating_comment',
    'rated_at',
    'notes',
    'manager_notes',
    'has_recording',
    'end_reason',
    'inserted_at',
    'assigned_at',
    'started_at',
    'completed_at',
    'ended_at',
    'customer_connected_at',
    'disconnected_at',
    'reconnected_at',
    'updated_at',
    'absent_since',
    'priority',
    'overflow_department_id',
    'overflowed_at',
    'callback_status',
    'callback_invited_until',
    'chat_message_count',
    'device_report',
  ]),
  quality: QUALITY_COLUMN,
  recording_state: RECORDING_STATE_COLUMN,
  estimated_wait_range: `CASE WHEN c.estimated_wait_low IS NOT NULL THEN jsonb_build_object(
    'low', c.estimated_wait_low, 'high', c.estimated_wait_high) END`,
  has_estimate: 'c.told_wait_time IS NOT NULL',
  callback: CALLBACK_COLUMN,
  skills: 'c.required_skills',
  transferred_from: `CASE WHEN c.transferred_at IS NOT NULL THEN jsonb_build_object(
    'department_id', c.transferred_from_department_id, 'user_id', c.transferred_from_user_id,
    'at', ${isoTimestamp('c.transferred_at')}) END`,
  recording_url: `CASE WHEN c.has_recording THEN '/api/v1/calls/' || c.id || '/recording' END`,
  tags: `COALESCE((
    SELECT jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'color', t.color)
      ORDER BY ${naturalOrder('t.name')}, t.id)
    FROM call_tags ct JOIN tags t ON t.id = ct.tag_id WHERE ct.call_id = c.id
  ), '[]')`,
};

/** The pending offer of the call `c` to another agent as JSON (TransferOfferDto); null without one. */
const TRANSFER_OFFER_COLUMN = `(
    SELECT jsonb_build_object('id', o.id, 'user_id', o.user_id, 'expires_at', ${isoTimestamp('o.expires_at')})
    FROM offers o WHERE o.tenant_id = c.tenant_id AND o.call_id = c.id AND o.status = 'pending' AND o.kind = 'transfer'
  )`;

const LIST_COLUMNS: ColumnsOf<CallListItemDto> = pickColumns(CALL_COLUMNS, [
  ...CALL_SORT_COLUMNS,
  'callback',
  'estimated_wait_range',
  'device_report',
]);

const DETAIL_COLUMNS: ColumnsOf<CallDetailsDto> = {
  ...LIST_COLUMNS,
  ...pickColumns(CALL_COLUMNS, [
    'customer_id',
    'has_estimate',
    'recording_url',
    'tags',
    'disconnected_at',
    'reconnected_at',
    'manager_notes',
    'reason',
    'rating_comment',
    'reserved_user_id',
    'unanswered_count',
    'transferred_from',
    'absent_since',
    'priority',
    'skills',
    'chat_message_count',
    'quality',
    'recording_state',
  ]),
  transfer_offer: TRANSFER_OFFER_COLUMN,
};

/** The SELECT list of a call `c` as a list item (CallListItemDto), which can be sorted by CALL_SORT_COLUMNS. */
export const CALL_LIST_COLUMNS = selectList(LIST_COLUMNS);

/** The SELECT list of a call `c` with all details (CallDetailsDto). */
export const CALL_DETAIL_COLUMNS = selectList(DETAIL_COLUMNS);

/** The tags of a call `c` by name, as JSON. */
export const CALL_TAGS_COLUMN = CALL_COLUMNS.tags;
