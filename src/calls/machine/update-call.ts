import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import { changedFields } from '../../platform/events/record-updated';
import { EventBus } from '../../platform/events/event-bus';
import type { Call } from '../call.entity';
import { CallUpdated } from '../call.events';
import { CallWriter } from './call-writer';

/** Fields that may change without a state transition. */
export type CallFields = Partial<
  Pick<
    Call,
    | 'has_recording'
    | 'notes'
    | 'manager_notes'
    | 'priority_since'
    | 'priority_deadline'
    | 'priority'
    | 'rank_at'
    | 'required_skills'
    | 'overflow_department_id'
    | 'overflowed_at'
  >
>;

/** Changes that are not state transitions: saves them and records a CallUpdated event. */
@Injectable()
export class UpdateCall {
  constructor(
    private readonly events: EventBus,
    private readonly writer: CallWriter,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes the fields that differ from the locked call. Without a difference nothing is written or recorded.
   * @returns the call after the update
   */
  async write(tx: Transaction, call: Call, fields: CallFields): Promise<Call> {
    const changed = changedFields(call, fields);
    return changed.length === 0 ? call : this.save(tx, call, fields, changed);
  }

  /** Records that rows of another table which belong to the locked call have changed. */
  async recordChange(tx: Transaction, call: Call, changed: 'tags' | 'files' | 'recordings'): Promise<Call> {
    return this.save(tx, call, {}, [changed]);
  }

  private async save(tx: Transaction, call: Call, fields: CallFields, changed: string[]): Promise<Call> {
    const now = this.clock.now();
    const updated = this.writer.saveVisible(tx, call, fields, now);
    await this.events.record(tx, new CallUpdated(updated, now, changed));
    return updated;
  }
}
