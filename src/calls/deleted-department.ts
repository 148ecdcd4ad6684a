import type { Transaction } from '../platform/database/transaction';
import { type ApiError, unprocessable } from '../platform/http/errors/api-error';
import type { Call } from './call.entity';

/** For the constraint by which a deleted department prevents that an agent takes one of its calls. */
export const callOfDeletedDepartment = (): ApiError =>
  unprocessable('invalid_transition', 'The call ends, because its department was deleted.');

export const departmentDeleted = (): ApiError =>
  unprocessable(
    'department_deleted',
    'The department of this call was deleted, so nothing can be uploaded to it.',
  );

/**
 * Keeps the call's department from being deleted until the transaction ends.
 * @throws 422 department_deleted
 */
export async function ensureDepartmentExists(
  tx: Transaction,
  { tenant_id, department_id }: Pick<Call, 'tenant_id' | 'department_id'>,
): Promise<void> {
  const exists = await tx.one('SELECT FROM departments WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE', [
    tenant_id,
    department_id,
  ]);
  if (!exists) throw departmentDeleted();
}
