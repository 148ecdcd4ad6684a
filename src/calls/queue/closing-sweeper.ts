import { Injectable } from '@nestjs/common';
import { DepartmentClosing } from '../../departments/department.events';
import { closingStep } from '../../departments/hours/closing.rules';
import { Closings, type DueClosing } from '../../departments/hours/closings';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { DeadlineSweeper } from '../deadlines/deadline-sweeper';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { CallTransitions } from '../machine/call-transitions';
import { EndOverflow } from '../overflow/end-overflow';
import { ClosingCalls } from './closing-calls';

const SWEEP_INTERVAL_MS = 1000;

/** Calls that one sweep ends for a department, so that a transaction does not hold thousands of locks. */
const MAX_ENDED_CALLS = 500;

/**
 * Announces the closing of departments that end their waiting calls then, and ends them. Calls of other departments that
 * overflowed to one of them only leave its line. A sweep reads the departments
 * with a step that is due, however many calls wait.
 */
@Injectable()
export class ClosingSweeper extends DeadlineSweeper {
  constructor(
    database: Database,
    clock: Clock,
    intervals: TaskIntervals,
    private readonly closings: Closings,
    private readonly calls: ClosingCalls,
    private readonly transitions: CallTransitions,
    private readonly overflow: EndOverflow,
    private readonly events: EventBus,
  ) {
    super('departments', intervals.of(SWEEP_INTERVAL_MS), database, clock, 'id', 'closing_deadline');
  }

  override sweep(): Promise<void> {
    return runAsReservedBackgroundWork(() => super.sweep());
  }

  protected async settle(tx: Transaction, departmentId: string): Promise<void> {
    const now = this.clock.now();
    const due = await this.closings.lockDue(tx, departmentId, now);
    if (!due) return;
    const { id, tenant_id, closing_at } = due;
    const step = closingStep(closing_at, now);
    if (step === 'announce' && closing_at) {
      await this.closings.setAnnounced(tx, due);
      await this.events.record(tx, new DepartmentClosing(tenant_id, id, now.toISOString(), closing_at));
    } else if (step === 'plan' || (await this.endCalls(tx, due)) === 0) {
      if (step === 'close') await this.overflow.into(tx, tenant_id, id);
      await this.closings.planNext(tx, due, now);
    }
  }

  /** @returns how many calls were ended; the closing stays due until there are none */
  private async endCalls(tx: Transaction, { id, tenant_id, closing_at }: DueClosing): Promise<number> {
    const closing = { tenantId: tenant_id, departmentId: id, at: closing_at ?? this.clock.now() };
    const calls = await this.calls.lock(tx, closing, MAX_ENDED_CALLS);
    if (calls.length > 0) await this.transitions.applyAll(tx, calls, { trigger: 'department_closed' });
    return calls.length;
  }
}
