import { AgentNegotiator } from './negotiation/agent-negotiator';
import { CallMonitor } from './quality/call-monitor';
import type { CallSessionOptions } from './call-types';
import { CustomerNegotiator } from './negotiation/customer-negotiator';
import { IceServers } from './negotiation/ice-servers';
import type { Negotiator } from './negotiation/negotiator';
import type { PeerConnection } from './negotiation/peer-connection';
import type { NetworkFigures } from './quality/quality.rules';
import { hasRelay } from './recovery/reconnection.rules';
import { Recovery } from './recovery/recovery';

export interface CallLinkEvents {
  /** Whether the other side has anything on. */
  expectsMedia: () => boolean;
  /** While media arrive. */
  onFigures: (figures: NetworkFigures) => void;
  /** The figures of the last 10 s. */
  onReport: (figures: NetworkFigures) => void;
  /** The network is too bad for video. */
  onAudioOnly: () => void;
  /** The connection, its state or a remote track may have changed. */
  onChange: () => void;
}

/** The connection to the other side: made, watched, and made again when it is lost. */
export class CallLink {
  /** Media of the other side have arrived. */
  wasConnected = false;
  private readonly servers: IceServers;
  private readonly negotiator: Negotiator;
  private readonly monitor: CallMonitor;
  private readonly recovery = new Recovery();
  private stopListening: (() => void) | null = null;

  constructor(
    private readonly options: CallSessionOptions,
    private readonly events: CallLinkEvents,
  ) {
    this.servers = new IceServers(options.iceServers, now);
    const context = {
      ...options,
      servers: this.servers,
      now,
      isAlive: () => this.isAlive,
      onExchange: () => this.recovery.began(now()),
      onChange: events.onChange,
    };
    this.negotiator =
      options.role === 'agent' ? new AgentNegotiator(context) : new CustomerNegotiator(context);
    this.monitor = new CallMonitor({
      connection: () => this.connection,
      expectsMedia: events.expectsMedia,
      onSample: (figures) => this.sampled(figures),
      onReport: events.onReport,
      now,
    });
  }

  get connection(): PeerConnection | null {
    return this.negotiator.connection;
  }

  get hasPeer(): boolean {
    return this.negotiator.hasPeer;
  }

  get isAlive(): boolean {
    return this.monitor.isAlive;
  }

  start(): void {
    this.stopListening = this.options.socket.on('connect', () => this.monitor.suspect());
    this.negotiator.start();
    this.monitor.start();
  }

  /** The other side will be another one. */
  drop(): void {
    this.wasConnected = false;
    this.negotiator.drop();
  }

  close(): void {
    this.stopListening?.();
    this.monitor.stop();
    this.negotiator.close();
  }

  private sampled(figures: NetworkFigures | null): void {
    const { socket } = this.options;
    const isAlive = this.monitor.isAlive;
    if (isAlive) this.wasConnected = true;
    // A dead socket looks open for up to 14 s, and nothing can be negotiated without one.
    else if (this.wasConnected) socket.probe();
    const attempt = this.recovery.tick({
      now: now(),
      isAlive,
      isSocketUp: socket.connected,
      hasPeer: this.hasPeer,
      hasRelay: hasRelay(this.servers.known),
    });
    if (attempt && (this.hasPeer || this.wasConnected)) this.negotiator.attempt(attempt);
    if (attempt?.audioOnly) this.events.onAudioOnly();
    if (figures && isAlive) this.events.onFigures(figures);
    this.events.onChange();
  }
}

const now = () => performance.now();
