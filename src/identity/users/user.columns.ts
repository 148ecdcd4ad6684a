import { type ColumnsOf, plainColumns } from '../../platform/database/columns';
import { naturalOrder } from '../../platform/database/natural-order';
import type { UserDto } from './user.dto';

/** The columns of `users u` with their presence `p`. */
export const USER_COLUMNS: ColumnsOf<UserDto> = {
  ...plainColumns('u', ['id', 'name', 'email', 'phone', 'avatar_url', 'role', 'active']),
  invited: 'u.password_hash IS NULL',
  mfa_enabled: 'u.mfa_enabled',
  department_ids:
    'ARRAY(SELECT m.department_id FROM department_members m WHERE m.user_id = u.id ORDER BY m.department_id)',
  skills: `COALESCE((
    SELECT jsonb_agg(jsonb_build_object('skill_id', s.id, 'name', s.name, 'level', us.level)
      ORDER BY ${naturalOrder('s.name')}, s.id)
    FROM user_skills us JOIN skills s ON s.id = us.skill_id WHERE us.user_id = u.id
  ), '[]')`,
  presence: 'p.presence',
  ...plainColumns('u', ['last_login_at', 'inserted_at', 'updated_at']),
};
