import { Injectable } from '@nestjs/common';
import { isInProgress } from '../../calls/customer/customer-tokens';
import type { CallStatus } from '../../calls/machine/call.machine';
import { Clock } from '../../platform/clock/clock';
import { PeerReadyBroadcast } from '../broadcasts/peer-ready-broadcast';
import { rooms } from '../rooms';
import type { CallHolder, LiveSocket } from '../socket.types';
import { takesPart } from './signal-rooms';

/**
 * The sockets of a customer's pages: those of the page that holds the call are in its room, and those of the others know
 * that it was taken over.
 */
@Injectable()
export class CustomerPages {
  constructor(
    private readonly peers: PeerReadyBroadcast,
    private readonly clock: Clock,
  ) {}

  /** Remembers which page holds the call of the socket, unless the socket knows of a later change. */
  setHolder(socket: LiveSocket, holder: CallHolder): void {
    const { data } = socket;
    if (data.kind !== 'customer' || (data.holder && data.holder.version > holder.version)) return;
    const hasChanged = holder.session !== (data.holder?.session ?? null);
    data.holder = holder;
    // A socket without a snapshot gets no events; `place` follows.
    if (hasChanged && data.hasSnapshot) this.place(socket);
  }

  /** Puts the socket of the page that holds the call into its room, and informs that of another page. */
  place(socket: LiveSocket): void {
    const { data } = socket;
    if (data.kind !== 'customer' || !data.holder || data.holder.session === null || socket.disconnected)
      return;
    const { call_id } = data.customer;
    const { session, version } = data.holder;
    if (session === data.page_session) {
      void socket.join(rooms.holderOf(call_id, session));
    } else {
      socket.emit('taken_over', { call_id, at: this.clock.now().toISOString(), version, session });
    }
  }

  /** The socket of a customer is connected: both sides learn of it if they may connect to each other. */
  async announce({ data }: LiveSocket, status: CallStatus): Promise<void> {
    if (data.kind !== 'customer' || !isInProgress(status)) return;
    if (!takesPart(data.holder?.session ?? null, data.page_session)) return;
    await this.peers.announce(data.customer.tenant_id, data.customer.call_id);
  }
}
