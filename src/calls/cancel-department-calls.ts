import { Injectable } from '@nestjs/common';
import { DepartmentDeleted } from '../departments/department.events';
import type { Transaction } from '../platform/database/transaction';
import { InTransaction } from '../platform/events/listeners';
import { unprocessable } from '../platform/http/errors/api-error';
import { Call } from './call.entity';
import { CallTransitions } from './machine/call-transitions';

/** Cancels the waiting calls of a department that is deleted. */
@Injectable()
export class CancelDepartmentCalls {
  constructor(private readonly transitions: CallTransitions) {}

  /** @throws 422 while a call of the department is assigned or active */
  @InTransaction(DepartmentDeleted)
  async onDepartmentDeleted({ tenant_id, subject_id }: DepartmentDeleted, tx: Transaction): Promise<void> {
    const open = await this.lockOpenCalls(tx, tenant_id, subject_id);
    if (open.some((call) => call.status !== 'queued')) {
      throw unprocessable('department_in_use', 'The department has a call that is assigned or active.');
    }
    await this.transitions.applyAll(tx, open, { trigger: 'department_deleted' });
  }

  /**
   * Locks all calls that refer to the department, those that have not ended, in the order of their ids. If only some
   * were locked, the foreign key would lock the others in any order, and a transaction that locks several calls in their
   * order could deadlock with that.
   */
  private lockOpenCalls(tx: Transaction, tenantId: string, departmentId: string): Promise<Call[]> {
    return tx.query<Call>(
      `SELECT ${tx.columnsOf(Call, 'c')} FROM calls c
       WHERE c.tenant_id = $1 AND c.existing_department_id = $2 ORDER BY c.id FOR NO KEY UPDATE`,
      [tenantId, departmentId],
    );
  }
}
