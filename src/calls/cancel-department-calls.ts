import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
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
    await this.lockCalls(tx, tenant_id, subject_id);
    const open = await tx.repository(Call).findBy({
      tenant_id,
      department_id: subject_id,
      status: In(['queued', 'assigned', 'active']),
    });
    if (open.some((call) => call.status !== 'queued')) {
      throw unprocessable('department_in_use', 'The department has a call that is assigned or active.');
    }
    // Each row is written once: for a row that the transaction has written before, PostgreSQL checks all foreign keys,
    // which would lock customers after calls.
    await this.transitions.applyAll(
      tx,
      open,
      { trigger: 'department_deleted' },
      { existing_department_id: null },
    );
  }

  /**
   * Locks all calls of the department in the order of their ids. The foreign key will clear existing_department_id
   * of the past ones, too, in any order: a transaction that locks several calls in their order could deadlock with that.
   */
  private async lockCalls(tx: Transaction, tenantId: string, departmentId: string): Promise<void> {
    await tx.query(
      `SELECT count(*) FROM (
         SELECT FROM calls WHERE tenant_id = $1 AND existing_department_id = $2 ORDER BY id FOR NO KEY UPDATE) locked`,
      [tenantId, departmentId],
    );
  }
}
