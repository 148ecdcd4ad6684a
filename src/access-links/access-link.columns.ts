import { type ColumnsOf, plainColumns } from '../platform/database/columns';
import { type AccessLinkDto, LINK_DEPARTMENT_NAME_SQL, LINK_STATUS_SQL } from './access-link.dto';
import { LINK_SKILLS_SQL } from './required-skill.dto';

/** The FROM clause that ACCESS_LINK_COLUMNS needs. */
export const ACCESS_LINK_TABLES = 'access_links l LEFT JOIN departments d ON d.id = l.department_id';

/** The columns of an access link. `$1` is the current time, `$2` the part of a link's URL before its token. */
export const ACCESS_LINK_COLUMNS: ColumnsOf<AccessLinkDto> = {
  ...plainColumns('l', ['id', 'token']),
  url: '$2 || l.token',
  department_id: 'd.id',
  department_name: LINK_DEPARTMENT_NAME_SQL,
  ...plainColumns('l', ['customer_id', 'label']),
  status: LINK_STATUS_SQL,
  ...plainColumns('l', ['max_uses', 'use_count', 'valid_from', 'expires_at', 'priority']),
  skills: LINK_SKILLS_SQL,
  ...plainColumns('l', ['created_by', 'inserted_at']),
};
