import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type DeletedDepartment, DepartmentEndings } from '../departments/department-endings';
import { DepartmentDeleted } from '../departments/department.events';
import type { Transaction } from '../platform/database/transaction';
import { InTransaction } from '../platform/events/listeners';
import { unprocessable } from '../platform/http/errors/api-error';
import { Call } from './call.entity';
import { EndOverflow } from './overflow/end-overflow';
import { CallTransitions } from './machine/call-transitions';

/** Calls that one transaction cancels. */
const ENDED_AT_ONCE = 50;

/** Cancels the waiting calls of a department that was deleted, and ends the overflow of other calls to it. */
@Injectable()
export class CancelDepartmentCalls implements OnModuleInit {
  constructor(
    private readonly transitions: CallTransitions,
    private readonly overflow: EndOverflow,
    private readonly endings: DepartmentEndings,
  ) {}

  onModuleInit(): void {
    // The customers of these calls look at their screens.
    this.endings.register('calls', {
      priority: 3,
      runBatch: (tx, department) => this.cancelSome(tx, department),
    });
    this.endings.register('overflow', {
      priority: 2,
      runBatch: (tx, { tenant_id, id }) => this.overflow.into(tx, tenant_id, id, ENDED_AT_ONCE),
    });
  }

  /**
   * The deletion has locked the department, and the foreign key of a call that an agent takes locks it, too: a call is taken
   * either before this check, or not at all.
   * @throws 422 while a call of the department is assigned or active
   */
  @InTransaction(DepartmentDeleted)
  async onDepartmentDeleted({ tenant_id, subject_id }: DepartmentDeleted, tx: Transaction): Promise<void> {
    const taken = await tx.one(
      'SELECT FROM calls WHERE tenant_id = $1 AND existing_department_id = $2 LIMIT 1',
      [tenant_id, subject_id],
    );
    if (taken) {
      throw unprocessable('department_in_use', 'The department has a call that is assigned or active.');
    }
  }

  /** Nothing else takes these calls out of the queue to an agent, as the department is gone. */
  private async cancelSome(tx: Transaction, { tenant_id, id }: DeletedDepartment): Promise<boolean> {
    const batch = await tx.query<Pick<Call, 'id'>>(
      `SELECT id FROM calls WHERE tenant_id = $1 AND department_id = $2 AND status = 'queued'
       ORDER BY priority_since, rank_at, queue_number LIMIT ${ENDED_AT_ONCE}`,
      [tenant_id, id],
    );
    const waiting = await tx.query<Call>(
      // Locked in the order of their ids, as every transaction that locks several calls does.
      `SELECT ${tx.columnsOf(Call, 'c')} FROM calls c WHERE c.tenant_id = $1 AND c.id = ANY ($3) AND c.status = 'queued'
         AND c.department_id = $2
       ORDER BY c.id FOR NO KEY UPDATE`,
      [tenant_id, id, batch.map((call) => call.id)],
    );
    await this.transitions.applyAll(tx, waiting, { trigger: 'department_deleted' });
    // Each call that left the queue since the deletion was counted, and its wait was kept to learn from it.
    for (const table of ['queue_changes', 'ended_waits']) {
      await tx.query(`DELETE FROM ${table} WHERE tenant_id = $1 AND department_id = $2`, [tenant_id, id]);
    }
    return batch.length > 0;
  }
}
