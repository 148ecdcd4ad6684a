import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import type { Call } from '../call.entity';
import { Absence, PRESENT } from '../machine/absence';
import { CallTransitions } from '../machine/call-transitions';
import { returned } from './callback.effects';
import { isAwaited } from './callback.machine';
import { Callbacks, type CallbackWithSettings } from './callbacks';
import { CallbackMails } from './mail/callback-mails';

/**
 * The return of invited customers. While the status is `requested` only the link of an earlier invitation makes a customer
 * return, because phones reconnect in a pocket.
 */
@Injectable()
export class ReturnToCall {
  constructor(
    private readonly database: Database,
    private readonly transitions: CallTransitions,
    private readonly callbacks: Callbacks,
    private readonly mails: CallbackMails,
    private readonly absence: Absence,
    private readonly clock: Clock,
  ) {}

  /**
   * The customer of the locked call connected new sockets. Pages that were there before the invitation reconnect by
   * themselves, for example after a restart of the service: only a socket of another page is a return.
   * @param sessions of the pages
   * @returns the call, which has changed if the customer was invited and returned
   */
  async onConnect(tx: Transaction, call: Call, sessions: string[]): Promise<Call> {
    if (call.callback_status === 'requested') this.callbacks.addPages(tx, call, sessions);
    if (call.callback_status !== 'invited') return call;
    const callback = await this.callbacks.find(tx, call);
    const isBack = sessions.some((session) => !callback?.page_sessions.includes(session));
    return isBack ? this.apply(tx, call, PRESENT, callback) : call;
  }

  /** The customer of the locked call resumed it. @returns as onConnect */
  async onResume(tx: Transaction, call: Call): Promise<Call> {
    if (call.callback_status !== 'invited') return call;
    return this.apply(tx, call, await this.absence.ofReturningCall(tx, call.id));
  }

  /**
   * The customer of the locked call opened the link of an invitation, which may have expired meanwhile.
   * @returns the call, which has changed if they were awaited
   */
  async onLinkOpened(tx: Transaction, call: Call): Promise<Call> {
    if (!isAwaited(call.callback_status)) return call;
    const callback = await this.callbacks.find(tx, call);
    if (callback?.channel === 'email') this.mails.recordReturn(tx, call);
    return this.apply(tx, call, await this.absence.ofReturningCall(tx, call.id), callback);
  }

  /** As onResume, for a call that is not locked. */
  async resume(tenantId: string, callId: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) =>
      this.onResume(tx, await this.transitions.lock(tx, tenantId, callId)),
    );
  }

  /** An invitation counts until the service has marked it as expired: the lock of the call decides. */
  private async apply(
    tx: Transaction,
    call: Call,
    absence: typeof PRESENT,
    known?: CallbackWithSettings,
  ): Promise<Call> {
    if (call.status !== 'queued') return call;
    const callback = known ?? (await this.callbacks.find(tx, call));
    if (!callback) return call;
    const changes = returned(call, absence, callback.max_wait_time, this.clock.now());
    return this.callbacks.apply(tx, call, 'return', changes, callback.attempts);
  }
}
