import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import type { Call } from '../call.entity';
import { invited, RETRY_SECONDS } from './callback.effects';
import { CallbackDue } from './callback.events';
import { CallbackSubscribers } from './callback-subscribers';
import { type CallbackWithSettings, Callbacks } from './callbacks';
import { lockUnlocked } from './lock-unlocked';
import { CallbackMailWorker } from './mail/callback-mail-worker';
import { CallbackMails } from './mail/callback-mails';
import { ResumeLinks } from './resume-links';

/** The customers of other companies wait meanwhile. */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '10ms'";

/** Invites customers to return, because it is nearly their turn. */
@Injectable()
export class InviteCustomer {
  constructor(
    private readonly database: Database,
    private readonly callbacks: Callbacks,
    private readonly worker: CallbackMailWorker,
    private readonly mails: CallbackMails,
    private readonly subscribers: CallbackSubscribers,
    private readonly links: ResumeLinks,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Does nothing if the customer has been invited or left meanwhile: the lock of the call decides.
   * @throws as isLockTimeout without waiting, for example while another mail of the company is counted
   */
  async invite(tenantId: string, callId: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      tx.send({ text: LOCK_TIMEOUT });
      const call = await lockUnlocked(tx, callId);
      if (call?.status !== 'queued' || call.callback_status !== 'requested') return;
      const callback = await this.callbacks.find(tx, call);
      if (!callback?.next_attempt_at || callback.next_attempt_at > this.clock.now()) return;
      if (!(await this.canInform(tx, call, callback))) {
        // The place is kept, and the invitation is tried again later.
        await this.callbacks.update(tx, call, { next_attempt_at: this.clock.in(RETRY_SECONDS) });
        return;
      }
      await this.inviteNow(tx, call, callback);
    });
  }

  /** Whether another mail may be sent today, or the company receives `callback.due`: its webhook may have been disabled since. */
  private async canInform(tx: Transaction, call: Call, callback: CallbackWithSettings): Promise<boolean> {
    const { channel, email } = callback;
    if (channel === 'webhook') return this.subscribers.exist(tx, call.tenant_id);
    return email !== null && this.mails.consume(tx, call, email);
  }

  private async inviteNow(tx: Transaction, call: Call, callback: CallbackWithSettings): Promise<void> {
    const now = this.clock.now();
    const attempts = callback.attempts + 1;
    const changes = invited(callback.callback_window, now);
    const next_deadline = changes.callback_invited_until;
    await this.callbacks.update(tx, call, {
      attempts,
      invited_at: now,
      next_attempt_at: null,
      next_deadline,
    });
    this.callbacks.addPages(tx, call);
    const saved = await this.callbacks.apply(tx, call, 'invite', changes, attempts);
    if (callback.channel === 'email') {
      const { tenant_id, id: call_id } = call;
      await this.worker.enqueue(tx, { tenant_id, call_id, attempt: attempts });
    } else {
      const url = this.links.urlOf(call.id, await this.linkTokenOf(tx, call));
      await this.events.record(tx, new CallbackDue(saved, now, url));
    }
  }

  private async linkTokenOf(tx: Transaction, { tenant_id, access_link_id }: Call): Promise<string> {
    const link = await tx.one<{ token: string }>(
      'SELECT token FROM access_links WHERE tenant_id = $1 AND id = $2',
      [tenant_id, access_link_id],
    );
    return link?.token ?? '';
  }
}
