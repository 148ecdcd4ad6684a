import { Injectable } from '@nestjs/common';
import { CustomerDeviceChanged } from '../callbacks/callback.events';
import { ResumeLinks } from '../callbacks/resume-links';
import { ReturnToCall } from '../callbacks/return-to-call';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { unauthenticated } from '../../platform/http/errors/api-error';
import type { Call } from '../call.entity';
import { Absence } from '../machine/absence';
import { isFinal } from '../machine/call.machine';
import { CallTransitions } from '../machine/call-transitions';
import { CallWriter } from '../machine/call-writer';
import { CustomerTokens } from './customer-tokens';
import { JoinQueue } from './join-queue';
import type { QueueEntryDto } from './public-call.dto';

/** A customer continues their call: with the token of the join, or by the resume link of a callback. */
@Injectable()
export class ResumeCall {
  constructor(
    private readonly database: Database,
    private readonly transitions: CallTransitions,
    private readonly writer: CallWriter,
    private readonly returns: ReturnToCall,
    private readonly links: ResumeLinks,
    private readonly joins: JoinQueue,
    private readonly absence: Absence,
    private readonly tokens: CustomerTokens,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * An invited customer is back by this.
   * @param token a websocket_token, or the token of a resume link
   * @returns the call's queue entry with a new token
   * @throws 401
   */
  async resume(token: string): Promise<QueueEntryDto> {
    const callId = this.links.callOf(token);
    if (callId) return this.openLink(callId);
    const { tenant_id, call_id, device } = await this.tokens.verify(token);
    await this.absence.postpone(tenant_id, call_id);
    const entry = await this.entry(tenant_id, call_id, device);
    if (entry.callback?.status !== 'invited') return entry;
    await this.returns.resume(tenant_id, call_id);
    return this.entry(tenant_id, call_id, device);
  }

  private entry(tenantId: string, callId: string, device: number): Promise<QueueEntryDto> {
    return this.database.tenant(tenantId, (tx) => this.joins.entry(tx, tenantId, callId, device));
  }

  /** The device has the call from now on: the tokens of the others are no longer valid. */
  private async openLink(callId: string): Promise<QueueEntryDto> {
    const call = await this.database.system(async (tx) => {
      const found = await tx.one<Pick<Call, 'tenant_id'>>('SELECT tenant_id FROM calls WHERE id = $1', [
        callId,
      ]);
      if (!found) throw linkEnded();
      tx.narrow(found.tenant_id);
      return this.changeDevice(tx, await this.transitions.lock(tx, found.tenant_id, callId));
    });
    await this.absence.postpone(call.tenant_id, callId);
    return this.entry(call.tenant_id, callId, call.customer_device);
  }

  private async changeDevice(tx: Transaction, call: Call): Promise<Call> {
    if (isFinal(call.status)) throw linkEnded();
    const now = this.clock.now();
    // No page of the former device holds the call any more.
    const changes = { customer_device: call.customer_device + 1, holder_session: null };
    const moved = this.writer.saveInternal(tx, call, changes, now);
    await this.events.record(tx, new CustomerDeviceChanged(moved, now));
    return this.returns.onLinkOpened(tx, moved);
  }
}

const linkEnded = () => unauthenticated('The call of this link has ended.', 'token_expired');
