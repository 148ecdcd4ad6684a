import { Injectable } from '@nestjs/common';
import { DepartmentUpdated } from '../../departments/department.events';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { InTransaction } from '../../platform/events/listeners';
import { Call } from '../call.entity';
import { CallOverflowEnded } from '../call.events';
import { CallWriter } from '../machine/call-writer';

/** Ends the overflow of calls, which wait on in the lines of their own departments. They do not overflow again. */
@Injectable()
export class EndOverflow {
  constructor(
    private readonly writer: CallWriter,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** Calls in the line of an inactive department are not offered, so a position there would mean nothing. */
  @InTransaction(DepartmentUpdated)
  async onDepartmentUpdated({ tenant_id, subject_id, changed }: DepartmentUpdated, tx: Transaction) {
    if (!changed.includes('active')) return;
    const inactive = 'SELECT FROM departments WHERE tenant_id = $1 AND id = $2 AND NOT active';
    if (await tx.one(inactive, [tenant_id, subject_id])) await this.into(tx, tenant_id, subject_id);
  }

  /**
   * Of calls that overflowed to the department: no other one overflows to it.
   * @param limit how many at most; all by default
   * @returns whether there may be more
   */
  async into(tx: Transaction, tenantId: string, departmentId: string, limit?: number): Promise<boolean> {
    const batch = await tx.query<Pick<Call, 'id'>>(
      'SELECT id FROM calls WHERE tenant_id = $1 AND overflow_department_id = $2 AND ended_at IS NULL LIMIT $3',
      [tenantId, departmentId, limit ?? null],
    );
    const calls = await tx.query<Call>(
      `SELECT ${tx.columnsOf(Call, 'c')} FROM calls c
       WHERE c.tenant_id = $1 AND c.id = ANY ($3) AND c.overflow_department_id = $2 AND c.ended_at IS NULL
       ORDER BY c.id FOR NO KEY UPDATE`,
      [tenantId, departmentId, batch.map(({ id }) => id)],
    );
    await this.of(tx, calls);
    return batch.length > 0;
  }

  /** @param calls that overflowed to the same department, and that the transaction has locked */
  private async of(tx: Transaction, calls: Call[]): Promise<void> {
    const [first] = calls;
    if (!first?.overflow_department_id) return;
    const now = this.clock.now();
    const changes = { overflow_department_id: null };
    await this.writer.saveEachVisible(
      tx,
      calls.map((call) => ({ call, changes })),
      now,
    );
    for (const call of calls) {
      const ended = { ...call, ...changes, version: call.version + 1, updated_at: now };
      await this.events.record(tx, new CallOverflowEnded(ended, now, first.overflow_department_id));
    }
  }
}
