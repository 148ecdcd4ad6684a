import type { Unsubscribe } from '../../emitter';
import type { CallSessionOptions } from '../call-types';
import type { IceServers } from './ice-servers';
import { PeerConnection } from './peer-connection';
import type { Attempt } from '../recovery/reconnection.rules';
import { SerialQueue } from '../../serial-queue';

/** What the two kinds of negotiators need of the session. */
export interface NegotiationContext extends CallSessionOptions {
  servers: IceServers;
  isAlive: () => boolean;
  now: () => number;
  /** An offer was sent, or an offer was answered. */
  onExchange: () => void;
  /** The connection was replaced, or its state or a remote track changed. */
  onChange: () => void;
}

/** What both sides do: docs/realtime.md, "WebRTC". */
export abstract class Negotiator {
  connection: PeerConnection | null = null;
  /** The other side's signals arrive, as far as is known. */
  hasPeer = false;
  /** The load of the other side's page. */
  protected page: string | null = null;
  protected readonly queue = new SerialQueue();
  protected isClosed = false;
  private readonly subscriptions: Unsubscribe[] = [];

  constructor(protected readonly context: NegotiationContext) {}

  abstract start(): void;

  /** Tries to connect again. */
  abstract attempt(attempt: Attempt): void;

  close(): void {
    this.isClosed = true;
    for (const unsubscribe of this.subscriptions) unsubscribe();
    this.drop();
  }

  /** Forgets the other side's page. */
  drop(): void {
    this.connection?.close();
    this.connection = null;
    this.page = null;
    this.hasPeer = false;
    this.context.onChange();
  }

  protected watch(subscriptions: Unsubscribe[]): void {
    this.subscriptions.push(...subscriptions);
  }

  /** Runs after the steps before it, unless the session is closed meanwhile. What fails is tried again by an attempt. */
  protected enqueue(step: () => Promise<void>): void {
    this.queue
      .run(async () => {
        if (!this.isClosed) await step();
      })
      .catch(() => undefined);
  }

  protected async connect(relayOnly: boolean): Promise<PeerConnection> {
    const servers = await this.context.servers.get();
    this.connection?.close();
    const connection = new PeerConnection({
      servers,
      relayOnly,
      tracks: { ...this.context.media.tracks },
      onCandidate: (candidate) => {
        if (this.connection === connection) void this.send({ candidate });
      },
      onChange: this.context.onChange,
    });
    this.connection = connection;
    if (this.isClosed) connection.close();
    return connection;
  }

  /** @returns whether the other side was there; undefined if that is not known */
  protected async send(
    signal: { description: RTCSessionDescriptionInit } | { candidate: RTCIceCandidateInit },
  ): Promise<boolean | undefined> {
    const { socket, callId } = this.context;
    try {
      return (await socket.emit('signal', { call_id: callId, ...signal }))?.delivered;
    } catch {
      return undefined;
    }
  }
}
