import type { Transaction } from '../platform/database/transaction';

/**
 * SQL of the department that a user's recording of the call `c` was made in: that of the user's last part of the call, since the
 * call may have been transferred meanwhile; that of the call for a colleague without a part.
 * @param userId SQL
 */
export const recordingDepartmentId = (userId: string): string => `COALESCE(
  (SELECT p.department_id FROM call_parts p WHERE p.tenant_id = c.tenant_id AND p.call_id = c.id AND p.user_id = ${userId}
   ORDER BY p.started_at DESC LIMIT 1), c.department_id)`;

/**
 * Locks the department that a recording was made in. It is locked before the call, as deleting a department does: the same
 * order prevents a deadlock.
 * @returns its id; undefined if it was deleted
 */
export async function lockRecordingDepartment(
  tx: Transaction,
  { tenant_id, call_id, user_id }: { tenant_id: string; call_id: string; user_id: string | null },
): Promise<string | undefined> {
  const department = await tx.one<{ id: string }>(
    `SELECT d.id FROM departments d WHERE d.tenant_id = $1 AND d.id =
       (SELECT ${recordingDepartmentId('$3')} FROM calls c WHERE c.tenant_id = $1 AND c.id = $2)
     FOR KEY SHARE OF d`,
    [tenant_id, call_id, user_id],
  );
  return department?.id;
}
