import { ACCESS_LINK_COLUMNS, ACCESS_LINK_TABLES } from '../../access-links/access-link.columns';
import { APPOINTMENT_COLUMNS } from '../../appointments/appointment.columns';
import { CALL_COLUMNS } from '../../calls/call.columns';
import { CUSTOMER_COLUMNS } from '../../customers/customer.columns';
import { DEPARTMENT_COLUMNS } from '../../departments/department.columns';
import { USER_COLUMNS } from '../../identity/users/user.columns';
import { type ColumnsOf, omitColumns, pickColumns, selectList } from '../../platform/database/columns';
import { Statement } from '../../platform/database/statement';
import { RECORDING_COLUMNS } from '../../recordings/recording.columns';
import type { CallRecord } from './call-at-event';
import {
  type AppointmentPayload,
  LINK_CREDENTIALS,
  type AccessLinkPayload,
  USER_PAYLOAD_FIELDS,
  type UserPayload,
} from './record.payloads';
import type { RecordingPayload } from './recording.payloads';

const CALL: ColumnsOf<CallRecord> = pickColumns(CALL_COLUMNS, [
  'id',
  'version',
  'status',
  'department_id',
  'department_name',
  'user_id',
  'user_name',
  'customer_id',
  'identity_confirmed',
  'customer_name',
  'customer_email',
  'customer_phone',
  'access_link_id',
  'reason',
  'estimated_wait_time',
  'estimated_wait_range',
  'wait_time',
  'duration',
  'rating',
  'end_reason',
  'has_recording',
  'inserted_at',
  'assigned_at',
  'started_at',
  'completed_at',
  'ended_at',
  'overflow_department_id',
  'overflowed_at',
  'callback',
  'chat_message_count',
  'rating_comment',
  'transferred_from',
]);
const RECORDING: ColumnsOf<RecordingPayload> = omitColumns(RECORDING_COLUMNS, ['sha256']);
const ACCESS_LINK: ColumnsOf<AccessLinkPayload> = omitColumns(ACCESS_LINK_COLUMNS, LINK_CREDENTIALS);
const APPOINTMENT: ColumnsOf<AppointmentPayload> = omitColumns(APPOINTMENT_COLUMNS, [
  'access_link',
  'customer_name',
]);
const USER: ColumnsOf<UserPayload> = pickColumns(USER_COLUMNS, USER_PAYLOAD_FIELDS);

/** By the kind of record, as events name it in `subject_type`. */
const SELECTS: Record<string, string> = {
  call: `SELECT ${selectList(CALL)} FROM calls c WHERE c.tenant_id = $1 AND c.id = ANY ($2)`,
  recording: `SELECT ${selectList(RECORDING)} FROM recordings WHERE tenant_id = $1 AND id = ANY ($2)`,
  customer: `SELECT ${selectList(CUSTOMER_COLUMNS)} FROM customers c WHERE c.tenant_id = $1 AND c.id = ANY ($2)`,
  appointment: `SELECT ${selectList(APPOINTMENT)} FROM appointments a LEFT JOIN departments d ON d.id = a.department_id
    WHERE a.tenant_id = $1 AND a.id = ANY ($2)`,
  department: `SELECT ${selectList(DEPARTMENT_COLUMNS)} FROM departments d WHERE d.tenant_id = $1 AND d.id = ANY ($2)`,
  agent: 'SELECT u.id, u.name FROM users u WHERE u.tenant_id = $1 AND u.id = ANY ($2)',
  user: `SELECT ${selectList(USER)} FROM users u WHERE u.tenant_id = $1 AND u.id = ANY ($2)`,
};

/** `$1` is the time at which the status is computed. */
const SELECT_LINKS = `SELECT ${selectList(ACCESS_LINK)} FROM ${ACCESS_LINK_TABLES}
  WHERE l.tenant_id = $2 AND l.id = ANY ($3)`;

/**
 * Reads the records of a kind.
 * @param at the time, ISO 8601, at which the status of links is computed
 * @returns undefined for a kind whose events contain the whole payload themselves
 */
export function statementFor(
  kind: string,
  tenantId: string,
  ids: string[],
  at: string,
): Required<Pick<Statement, 'text' | 'values'>> | undefined {
  if (kind === 'access_link') return { text: SELECT_LINKS, values: [at, tenantId, ids] };
  const text = SELECTS[kind];
  return text === undefined ? undefined : { text, values: [tenantId, ids] };
}
