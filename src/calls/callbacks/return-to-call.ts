import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import type { Call } from '../call.entity';
import { Absence, PRESENT } from '../machine/absence';
import { CallTransitions } from '../machine/call-transitions';
import { returned } from './callback.effects';
import { Callbacks } from './callbacks';

/**
 * The return of invited customers. While the status is `requested` nothing makes a customer return, because phones
 * reconnect in a pocket.
 */
@Injectable()
export class ReturnToCall {
  constructor(
    private readonly database: Database,
    private readonly transitions: CallTransitions,
    private readonly callbacks: Callbacks,
    private readonly absence: Absence,
    private readonly clock: Clock,
  ) {}

  /** The customer of the locked call connected a new socket. @returns the call, which has changed if they were invited */
  onConnect(tx: Transaction, call: Call): Promise<Call> {
    return this.returnIfInvited(tx, call, async () => PRESENT);
  }

  /** The customer of the locked call resumed it. @returns as onConnect */
  onResume(tx: Transaction, call: Call): Promise<Call> {
    return this.returnIfInvited(tx, call, () => this.absence.ofReturningCall(tx, call.id));
  }

  /** As onResume, for a call that is not locked. */
  async resume(tenantId: string, callId: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) =>
      this.onResume(tx, await this.transitions.lock(tx, tenantId, callId)),
    );
  }

  /** An invitation counts until the service has marked it as expired: the lock of the call decides. */
  private async returnIfInvited(
    tx: Transaction,
    call: Call,
    readAbsence: () => Promise<typeof PRESENT>,
  ): Promise<Call> {
    if (call.status !== 'queued' || call.callback_status !== 'invited') return call;
    const callback = await this.callbacks.find(tx, call);
    if (!callback) return call;
    const changes = returned(call, await readAbsence(), callback.max_wait_time, this.clock.now());
    return this.callbacks.apply(tx, call, 'return', changes, callback.attempts);
  }
}
