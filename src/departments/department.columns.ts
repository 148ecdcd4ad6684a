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
    'routing',
    'offer_timeout',
    'wrap_up_time',
    'max_unanswered',
    'agent_selection',
    'skill_relax_after',
    'preferred_agent_wait',
    'priority_step',
    'opening_hours',
    'closed_message',
    'on_close',
    'overflow_after',
    'overflow_department_id',
    'callback_enabled',
    'callback_attempts',
    'callback_window',
  ]),
  user_count: '(SELECT count(*)::int FROM department_members m WHERE m.department_id = d.id)',
  ...plainColumns('d', ['inserted_at', 'updated_at']),
};
