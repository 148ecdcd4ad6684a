import type { CallEvents } from '../../socket-events';
import { originOf } from './sdp-tags';
import { Negotiator } from './negotiator';

/** Answers offers, and asks for one when none comes. */
export class CustomerNegotiator extends Negotiator {
  start(): void {
    const { socket, servers } = this.context;
    this.watch([
      // The next offer will restart ICE: its answer must not wait for the credentials.
      socket.on('connect', () => void servers.refresh()),
      socket.on('peer_ready', (event) => this.peerReady(event)),
      socket.on('signal', (event) => this.signal(event)),
    ]);
    // The service has announced this page since its socket is open: an offer may have come before this listened.
    if (socket.connected) this.attempt();
  }

  attempt(): void {
    const { socket, servers, callId } = this.context;
    void servers.refresh();
    socket
      .emit('renegotiate', { call_id: callId })
      .then((data) => {
        if (data?.delivered === false) this.hasPeer = false;
      })
      .catch(() => undefined);
  }

  private peerReady({ call_id, participant, session }: CallEvents['peer_ready']): void {
    if (call_id !== this.context.callId || participant !== 'agent') return;
    const isOtherPage = this.page !== null && this.page !== session;
    if (isOtherPage) this.drop();
    this.page = session;
    this.hasPeer = true;
    this.context.onChange();
  }

  private signal({ call_id, from, description, candidate }: CallEvents['signal']): void {
    if (call_id !== this.context.callId || from !== 'agent') return;
    this.hasPeer = true;
    this.enqueue(async () => {
      if (description?.type === 'offer') await this.answer(description);
      if (candidate) await this.connection?.addCandidate(candidate);
    });
  }

  /** An offer of another RTCPeerConnection needs a new one here: the old one has other keys. */
  private async answer(offer: RTCSessionDescriptionInit): Promise<void> {
    const { servers } = this.context;
    const remoteId = this.connection?.remoteId;
    const isOther = remoteId !== originOf(offer.sdp)?.connection;
    let connection = this.connection;
    if (!connection || (remoteId !== null && isOther)) connection = await this.connect(false);
    else connection.configure(await servers.get(), false);
    this.context.onExchange();
    this.context.onChange();
    const description = await connection.answer(offer);
    this.context.onChange();
    await this.send({ description });
  }
}
