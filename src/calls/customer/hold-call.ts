import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { EventBus } from '../../platform/events/event-bus';
import { unprocessable } from '../../platform/http/errors/api-error';
import type { Call } from '../call.entity';
import { CallHolderChanged } from '../participant.events';
import { isFinal } from '../machine/call.machine';
import { CallTransitions } from '../machine/call-transitions';
import { CallWriter } from '../machine/call-writer';

/**
 * One of the customer's pages takes the call over from the others. The lock of the call decides which page is the last to do
 * so. The page stays in the call's row, so that neither a reconnection nor the death of an instance gives it back.
 */
@Injectable()
export class HoldCall {
  constructor(
    private readonly database: Database,
    private readonly transitions: CallTransitions,
    private readonly writer: CallWriter,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** @returns the call, unchanged if the page holds it already. @throws 404, 422 for a call that has ended */
  hold(tenantId: string, callId: string, session: string): Promise<Call> {
    return this.database.tenant(tenantId, async (tx) => {
      const call = await this.transitions.lock(tx, tenantId, callId);
      if (isFinal(call.status)) throw unprocessable('invalid_state', 'The call has ended.');
      if (call.holder_session === session) return call;
      const now = this.clock.now();
      const held = this.writer.saveVisible(tx, call, { holder_session: session }, now);
      await this.events.record(tx, new CallHolderChanged(held, now, session));
      return held;
    });
  }
}
