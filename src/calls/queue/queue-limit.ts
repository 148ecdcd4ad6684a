import { type HoursRow, isOpenAt, openSince } from '../../departments/hours/department-hours.rules';
import type { Transaction } from '../../platform/database/transaction';

interface LimitedDepartment extends HoursRow {
  id: string;
  tenant_id: string;
  max_queue_size: number;
}

/** The callbacks of department $2 of company $1 whose calls joined before $3, and whose customers are not yet invited. */
const CALLBACKS = `SELECT count(*)::int AS callbacks FROM calls c
  WHERE c.tenant_id = $1 AND c.department_id = $2 AND c.status = 'queued' AND c.callback_status = 'requested'
    AND c.inserted_at < $3`;

/**
 * Whether one more customer may join, for a transaction that has locked the department. What was requested before the
 * department opened would otherwise fill the line of those who come in the morning. So max_queue_size is the limit of the
 * callbacks that wait for an opening, and that of the calls in the line.
 * @param queueSize all waiting calls of the department
 */
export async function hasRoom(
  tx: Transaction,
  department: LimitedDepartment,
  queueSize: number,
  now: Date,
): Promise<boolean> {
  const { id, tenant_id, max_queue_size } = department;
  if (queueSize < max_queue_size) return true;
  if (!department.opening_hours) return false;
  const isOpen = isOpenAt(department, now);
  const before = isOpen ? openSince(department, now) : 'infinity';
  const counted = await tx.one<{ callbacks: number }>(CALLBACKS, [tenant_id, id, before]);
  const callbacks = counted?.callbacks ?? 0;
  return (isOpen ? queueSize - callbacks : callbacks) < max_queue_size;
}
