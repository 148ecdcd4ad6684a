import { Injectable } from '@nestjs/common';
import { DepartmentDeleted } from '../departments/department.events';
import type { Transaction } from '../platform/database/transaction';
import { InTransaction } from '../platform/events/listeners';
import { unprocessable } from '../platform/http/errors/api-error';
import { CallTransitions } from './machine/call-transitions';

/** Cancels the waiting calls of a department that is deleted. */
@Injectable()
export class CancelDepartmentCalls {
  constructor(private readonly transitions: CallTransitions) {}

  /** @throws 422 while a call of the department is assigned or active */
  @InTransaction(DepartmentDeleted)
  async onDepartmentDeleted({ tenant_id, subject_id }: DepartmentDeleted, tx: Transaction): Promise<void> {
    const open = await tx.query<{ id: string; status: string }>(
      `SELECT id, status FROM calls WHERE tenant_id = $1 AND department_id = $2
         AND status IN ('queued', 'assigned', 'active') ORDER BY id FOR NO KEY UPDATE`,
      [tenant_id, subject_id],
    );
    if (open.some((call) => call.status !== 'queued')) {
      throw unprocessable('department_in_use', 'The department has a call that is assigned or active.');
    }
    for (const { id } of open) {
      const call = await this.transitions.lock(tx, tenant_id, id);
      await this.transitions.apply(tx, call, { trigger: 'department_deleted' });
    }
  }
}
