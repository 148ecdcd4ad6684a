import { LINK_STATUS_SQL } from '../access-links/access-link.dto';
import { type ColumnsOf, isoTimestamp, plainColumns } from '../platform/database/columns';
import type { AppointmentDto } from './appointment.dto';

/**
 * The columns of `appointments a` with its department `d`, customer `c` and link `l`. `$1` is the current time, `$2` the part of a link's URL before
 * its token; only access_link uses them.
 */
export const APPOINTMENT_COLUMNS: ColumnsOf<AppointmentDto> = {
  ...plainColumns('a', ['id']),
  // Null at once if the department is deleted; the appointment follows in its turn.
  department_id: 'd.id',
  ...plainColumns('a', ['user_id', 'customer_id']),
  customer_name: 'c.name',
  ...plainColumns('a', ['title', 'starts_at', 'ends_at', 'status', 'notes']),
  access_link: `CASE WHEN l.id IS NOT NULL THEN jsonb_build_object('id', l.id, 'token', l.token, 'url', $2 || l.token,
    'status', ${LINK_STATUS_SQL}, 'valid_from', ${isoTimestamp('l.valid_from')},
    'expires_at', ${isoTimestamp('l.expires_at')}) END`,
  ...plainColumns('a', ['inserted_at', 'updated_at']),
};
