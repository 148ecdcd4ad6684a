import { Injectable } from '@nestjs/common';
import { DepartmentDeleted } from '../departments/department.events';
import type { Transaction } from '../platform/database/transaction';
import { InTransaction } from '../platform/events/listeners';
import { unprocessable } from '../platform/http/errors/api-error';
import { Call } from './call.entity';
import { EndOverflow } from './overflow/end-overflow';
import { CallTransitions } from './machine/call-transitions';

/** Cancels the waiting calls of a department that is deleted, and ends the overflow of other calls to it. */
@Injectable()
export class CancelDepartmentCalls {
  constructor(
    private readonly transitions: CallTransitions,
    private readonly overflow: EndOverflow,
  ) {}

  /** @throws 422 while a call of the department is assigned or active */
  @InTransaction(DepartmentDeleted)
  async onDepartmentDeleted({ tenant_id, subject_id }: DepartmentDeleted, tx: Transaction): Promise<void> {
    const locked = await this.lockOpenCalls(tx, tenant_id, subject_id);
    const open = locked.filter(({ department_id }) => department_id === subject_id);
    if (open.some((call) => call.status !== 'queued')) {
      throw unprocessable('department_in_use', 'The department has a call that is assigned or active.');
    }
    await this.transitions.applyAll(tx, open, { trigger: 'department_deleted' });
    await this.overflow.of(
      tx,
      locked.filter((call) => !open.includes(call)),
    );
  }

  /**
   * Locks all calls that refer to the department, those that have not ended, and those that overflowed to it, in the order of
   * their ids. If only some
   * were locked, the foreign key would lock the others in any order, and a transaction that locks several calls in their
   * order could deadlock with that.
   */
  private lockOpenCalls(tx: Transaction, tenantId: string, departmentId: string): Promise<Call[]> {
    return tx.query<Call>(
      `SELECT ${tx.columnsOf(Call, 'c')} FROM calls c
       WHERE c.tenant_id = $1 AND (c.existing_department_id = $2
         OR (c.overflow_department_id = $2 AND c.ended_at IS NULL)) ORDER BY c.id FOR NO KEY UPDATE`,
      [tenantId, departmentId],
    );
  }
}
