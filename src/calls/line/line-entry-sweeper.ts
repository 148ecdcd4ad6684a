import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { DeadlineSweeper } from '../deadlines/deadline-sweeper';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { LineEntries } from './line-entries';

const SWEEP_INTERVAL_MS = 500;

/** Ends reservations and requirements of skills whose time has passed. */
@Injectable()
export class LineEntrySweeper extends DeadlineSweeper {
  constructor(
    database: Database,
    clock: Clock,
    intervals: TaskIntervals,
    private readonly entries: LineEntries,
  ) {
    super('line_entries', intervals.of(SWEEP_INTERVAL_MS), database, clock, 'call_id');
  }

  override sweep(): Promise<void> {
    return runAsReservedBackgroundWork(() => super.sweep());
  }

  protected async settle(tx: Transaction, callId: string): Promise<void> {
    const call = await tx.one('SELECT FROM calls WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED', [callId]);
    if (call) await this.entries.endRequirements(tx, callId, this.clock.now());
  }
}
