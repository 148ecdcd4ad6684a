import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import { changedFields } from '../../platform/events/changed-fields';
import { EventBus } from '../../platform/events/event-bus';
import { Call } from '../call.entity';
import { CallUpdated } from '../call.events';

/** What may change about a call besides its way through the states, which is transition-call.ts's. */
export type CallFields = Partial<
  Pick<Call, 'has_recording' | 'manager_notes' | 'priority_since' | 'priority_deadline'>
>;

/** Changes a call's fields, or something that belongs to it, so that whoever watches it learns of that. */
@Injectable()
export class CallChanges {
  constructor(
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes what is new about a call that the transaction has locked; nothing where all is as it was.
   * @returns the call as it is now
   */
  async write(tx: Transaction, call: Call, fields: CallFields): Promise<Call> {
    const changed = changedFields(call, fields);
    return changed.length === 0 ? call : this.bumpVersion(tx, call, fields, changed);
  }

  /** Says that what belongs to a locked call, and stands in other tables, is not what it was. */
  async recordChange(tx: Transaction, call: Call, what: 'tags' | 'files' | 'recordings'): Promise<Call> {
    return this.bumpVersion(tx, call, {}, [what]);
  }

  private async bumpVersion(
    tx: Transaction,
    call: Call,
    fields: CallFields,
    changed: string[],
  ): Promise<Call> {
    const now = this.clock.now();
    const changes = { ...fields, version: call.version + 1, updated_at: now };
    await tx.repository(Call).update({ id: call.id, tenant_id: call.tenant_id }, changes);
    const grown: Call = { ...call, ...changes };
    await this.events.record(tx, new CallUpdated(grown, now, changed));
    return grown;
  }
}
