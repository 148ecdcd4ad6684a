import { type ColumnsOf, plainColumns } from '../../platform/database/columns';
import type { UserDto } from './user.dto';

/** The columns of `users u` with their presence `p`. */
export const USER_COLUMNS: ColumnsOf<UserDto> = {
  ...plainColumns('u', ['id', 'name', 'email', 'phone', 'role', 'active', 'mfa_enabled']),
  department_ids:
    'ARRAY(SELECT m.department_id FROM department_members m WHERE m.user_id = u.id ORDER BY m.department_id)',
  presence: 'p.presence',
  ...plainColumns('u', ['last_login_at', 'inserted_at', 'updated_at']),
};
