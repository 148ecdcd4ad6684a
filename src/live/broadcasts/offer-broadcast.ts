import { Injectable } from '@nestjs/common';
import { CallList } from '../../calls/staff/call-list';
import type { CallListItemDto } from '../../calls/call-list.dto';
import { AfterCommit } from '../../platform/events/listeners';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { OfferEnded, type OfferEvent, OfferMade } from '../../routing/offers/offer.events';
import { rooms } from '../rooms';
import { SocketServer } from '../socket-server';

/**
 * Sends offers and their ends to all sockets of the agent. The messages about a call are sent in the order of their
 * events, so that no offer rings after its end.
 */
@Injectable()
export class OfferBroadcast {
  constructor(
    private readonly sockets: SocketServer,
    private readonly calls: CallList,
  ) {}

  @AfterCommit(OfferMade)
  async onMade(event: OfferMade): Promise<void> {
    const agent = [rooms.user(event.user_id)];
    if (!this.sockets.mayHaveSocketsIn(agent)) return;
    const call = await this.callOf(event);
    this.sockets.emitTo(agent, 'offer', {
      call_id: event.call_id,
      offer: event.offer,
      call,
      at: event.occurred_at,
    });
  }

  @AfterCommit(OfferEnded)
  async onEnded(event: OfferEnded): Promise<void> {
    const { call_id, offer_id, status, reason, occurred_at: at } = event;
    this.sockets.emitTo(rooms.user(event.user_id), 'offer_ended', { call_id, offer_id, status, reason, at });
    if (event.kind === 'transfer' && status !== 'accepted') await this.informAgentOfTransfer(event);
  }

  /** The agent who keeps the call, and the supervisor if it was they who transferred it. */
  private async informAgentOfTransfer(event: OfferEnded): Promise<void> {
    const { call_id, user_id, status, offered_by, occurred_at: at } = event;
    const call = await this.callOf(event);
    const users = [call?.user_id, offered_by].filter((id) => typeof id === 'string');
    const reason = event.reason ?? status;
    this.sockets.emitTo(
      users.map((id) => rooms.user(id)),
      'transfer_ended',
      { call_id, user_id, status, reason, at },
    );
  }

  private callOf({ tenant_id, call_id }: OfferEvent): Promise<CallListItemDto | undefined> {
    return runAsReservedBackgroundWork(() => this.calls.item(tenant_id, call_id));
  }
}
