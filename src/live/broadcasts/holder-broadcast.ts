import { Injectable } from '@nestjs/common';
import { CallHolderChanged } from '../../calls/participant.events';
import { OnCommit } from '../../platform/events/listeners';
import { SocketOwners } from '../limits/socket-owners';
import { CustomerPages } from '../signals/customer-pages';
import { SocketServer } from '../socket-server';

/** What instances tell each other of a call that one of the customer's pages took over. */
type HolderNews = Pick<CallHolderChanged, 'call_id' | 'session' | 'version'>;

/**
 * Informs the other pages of a customer when one of them takes the call over. Signals do not depend on this message: they are
 * addressed to the page that holds the call (signalRoomOf).
 */
@Injectable()
export class HolderBroadcast {
  constructor(
    private readonly sockets: SocketServer,
    private readonly owners: SocketOwners,
    private readonly pages: CustomerPages,
  ) {}

  /** Called when the socket server is up: listens to the other instances. */
  listen(): void {
    this.sockets.onOtherInstance('call_holder_changed', (news: HolderNews) => this.updateLocalSockets(news));
  }

  @OnCommit(CallHolderChanged)
  onChanged({ call_id, session, version }: CallHolderChanged): void {
    if (!this.sockets.isUp) return;
    const news = { call_id, session, version };
    this.updateLocalSockets(news);
    this.sockets.notifyOtherInstances('call_holder_changed', news);
  }

  private updateLocalSockets({ call_id, session, version }: HolderNews): void {
    for (const socket of this.owners.socketsOfCall(call_id))
      this.pages.setHolder(socket, { session, version });
  }
}
