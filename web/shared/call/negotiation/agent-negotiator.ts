import type { CallEvents } from '../../socket-events';
import { onPeerReady, onRenegotiate, type NegotiationFacts, type OfferAction } from './negotiation.rules';
import { Negotiator } from './negotiator';
import type { Attempt } from '../recovery/reconnection.rules';

/** Makes all offers. The customer's page makes none, so two offers never meet. */
export class AgentNegotiator extends Negotiator {
  private offeredAt = Number.NEGATIVE_INFINITY;
  private wasDelivered = true;

  start(): void {
    const { socket, servers } = this.context;
    this.watch([
      // `join_call` brings the credentials and makes this socket the one that gets the signals.
      socket.on('connect', () => void servers.refresh()),
      socket.on('peer_ready', (event) => this.peerReady(event)),
      socket.on('renegotiate', (event) => this.renegotiate(event)),
      socket.on('signal', (event) => this.signal(event)),
    ]);
    if (socket.connected) void servers.refresh();
  }

  attempt({ kind, relayOnly }: Attempt): void {
    this.enqueue(() => this.perform(kind, relayOnly));
  }

  private peerReady({ call_id, participant, session }: CallEvents['peer_ready']): void {
    if (call_id !== this.context.callId || participant !== 'customer') return;
    this.hasPeer = true;
    this.context.onChange();
    this.enqueue(async () => {
      const action = onPeerReady(this.facts(session));
      this.page = session;
      await this.perform(action, false);
    });
  }

  private renegotiate({ call_id }: { call_id: string }): void {
    if (call_id !== this.context.callId) return;
    this.hasPeer = true;
    this.enqueue(() => this.perform(onRenegotiate(this.facts(this.page)), false));
  }

  private signal({ call_id, from, description, candidate }: CallEvents['signal']): void {
    if (call_id !== this.context.callId || from !== 'customer') return;
    this.hasPeer = true;
    // A foreign client that offers is the polite peer: it takes an offer instead.
    if (description?.type === 'offer') this.renegotiate({ call_id });
    this.enqueue(async () => {
      if (description?.type === 'answer') await this.connection?.accept(description);
      if (candidate) await this.connection?.addCandidate(candidate);
    });
  }

  private facts(session: string | null): NegotiationFacts {
    return {
      hasConnection: this.connection !== null,
      // A page that asked for an offer before it was announced has the connection already.
      isSamePage: this.page === null || this.page === session,
      isOfferPending: this.connection?.isOfferPending ?? false,
      offerAgeMs: this.context.now() - this.offeredAt,
      wasDelivered: this.wasDelivered,
      isAlive: this.context.isAlive(),
    };
  }

  private async perform(action: OfferAction, relayOnly: boolean): Promise<void> {
    if (action === 'wait') return;
    if (action === 'resend' && this.connection) return this.deliver(this.connection.pendingOffer());
    if (action === 'create' || !this.connection) {
      const connection = await this.connect(relayOnly);
      this.context.onChange();
      return this.deliver(await connection.offer(false));
    }
    const servers = await this.context.servers.get();
    this.connection.configure(servers, relayOnly);
    await this.deliver(await this.connection.offer(true));
  }

  private async deliver(description: RTCSessionDescriptionInit): Promise<void> {
    this.offeredAt = this.context.now();
    this.context.onExchange();
    const delivered = await this.send({ description });
    this.wasDelivered = delivered !== false;
    if (delivered === false) this.hasPeer = false;
  }
}
