import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { notFound, unprocessable } from '../../platform/http/errors/api-error';
import { PresenceService } from '../../presence/presence.service';
import { effectsOf } from './call.effects';
import { Call } from '../call.entity';
import { CallAssigned, CallEnded, CallStarted } from '../call.events';
import { decide, type Move } from './call.machine';

/** The only writer of calls.status: lock the row, ask the machine, save, record the event. */
@Injectable()
export class CallTransitions {
  constructor(
    private readonly events: EventBus,
    private readonly presence: PresenceService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Locks the call until the transaction ends. @throws 404 */
  async lock(tx: Transaction, tenantId: string, callId: string): Promise<Call> {
    const call = await tx
      .repository(Call)
      .findOne({ where: { id: callId, tenant_id: tenantId }, lock: { mode: 'for_no_key_update' } });
    if (!call) throw notFound('Call');
    return call;
  }

  /**
   * Makes a move with a call that the transaction has locked.
   * @returns the call as it is now
   * @throws 422 invalid_transition, with nothing changed
   */
  async apply(tx: Transaction, call: Call, move: Move): Promise<Call> {
    const decision = decide(call, move);
    if (decision.kind === 'repeat') return call;
    if (decision.kind === 'refuse') throw unprocessable('invalid_transition', decision.detail);
    const now = this.clock.now();
    const changes = effectsOf(call, move, decision, now, this.config.ringTimeoutSeconds);
    await tx.repository(Call).update({ id: call.id, tenant_id: call.tenant_id }, changes);
    const moved: Call = { ...call, ...changes };
    await this.record(tx, call, moved, now);
    return moved;
  }

  private async record(tx: Transaction, before: Call, after: Call, now: Date): Promise<void> {
    if (after.status === 'assigned') {
      await this.events.record(tx, new CallAssigned(after, now, before.user_id));
    } else if (after.status === 'active') {
      await this.events.record(tx, new CallStarted(after, now));
    } else {
      await this.events.record(tx, new CallEnded(after, now));
    }
    // Being in an active call makes an agent busy; its end frees them.
    const agentsLoadChanged = after.status === 'active' || before.status === 'active';
    if (agentsLoadChanged && after.user_id) {
      await this.presence.announce(tx, after.tenant_id, after.user_id);
    }
  }
}
