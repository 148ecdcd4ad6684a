import { type ColumnsOf, pickColumns, plainColumns } from '../platform/database/columns';
import { CALL_SORT_COLUMNS, type CallDetailsDto, type CallListItemDto } from './call.dto';

/** Every column of `calls c` that anything shows: lists, exports and webhook payloads have some of them. */
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
    'customer_name',
    'customer_email',
    'customer_phone',
    'reason',
    'estimated_wait_time',
    'wait_time',
    'duration',
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
  ]),
  recording_url: `CASE WHEN c.has_recording THEN '/api/v1/calls/' || c.id || '/recording' END`,
  /** By name, as JSON. */
  tags: `COALESCE((
    SELECT jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'color', t.color) ORDER BY t.name, t.id)
    FROM call_tags ct JOIN tags t ON t.id = ct.tag_id WHERE ct.call_id = c.id
  ), '[]')`,
};

/** A call in a list, which can be sorted by each of these columns. */
export const CALL_LIST_COLUMNS: ColumnsOf<CallListItemDto> = pickColumns(CALL_COLUMNS, CALL_SORT_COLUMNS);

export const CALL_DETAIL_COLUMNS: ColumnsOf<CallDetailsDto> = {
  ...CALL_LIST_COLUMNS,
  ...pickColumns(CALL_COLUMNS, [
    'recording_url',
    'tags',
    'disconnected_at',
    'reconnected_at',
    'end_reason',
    'manager_notes',
    'reason',
    'rating_comment',
    'reserved_user_id',
  ]),
};
