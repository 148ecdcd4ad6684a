import type { Department } from '../departments/department.entity';
import type { Transaction } from '../platform/database/transaction';

/** The settings of a department that overflows; a few of its past calls have waited longer. */
export const OVERFLOWING = { overflow_after: 90 } satisfies Partial<Department>;

/** The past calls of the company that waited longer than their department's `overflow_after` also stood in the other line. */
export async function insertPastOverflows(tx: Transaction, tenantId: string): Promise<void> {
  await tx.query(
    `UPDATE calls c SET overflow_department_id = d.overflow_department_id,
       overflowed_at = c.inserted_at + make_interval(secs => d.overflow_after)
     FROM departments d
     WHERE c.tenant_id = $1 AND d.id = c.department_id AND d.overflow_department_id IS NOT NULL
       AND c.ended_at IS NOT NULL AND c.wait_time > d.overflow_after`,
    [tenantId],
  );
}
