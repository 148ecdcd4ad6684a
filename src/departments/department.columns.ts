import { type ColumnsOf, plainColumns } from '../platform/database/columns';
import type { DepartmentDto } from './department.dto';

/** The columns of `departments d`. */
export const DEPARTMENT_COLUMNS: ColumnsOf<DepartmentDto> = {
  ...plainColumns('d', [
    'id',
    'name',
    'identifier',
    'description',
    'active',
    'sector_id',
    'max_queue_size',
    'max_wait_time',
  ]),
  user_count: '(SELECT count(*)::int FROM department_members m WHERE m.department_id = d.id)',
  ...plainColumns('d', ['inserted_at', 'updated_at']),
};
