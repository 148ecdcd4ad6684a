import { Emitter, type Unsubscribe } from '../emitter';
import type { CallEvents, MediaState } from '../socket-events';
import { AgentNegotiator } from './agent-negotiator';
import { callState } from './call-state.rules';
import type {
  CallQuality,
  CallSessionEvents,
  CallSessionOptions,
  CallState,
  RemoteMedia,
} from './call-types';
import { CallMonitor } from './call-monitor';
import { CustomerNegotiator } from './customer-negotiator';
import { IceServers } from './ice-servers';
import type { Negotiator } from './negotiator';
import { qualityOf, type NetworkFigures } from './quality.rules';
import { hasRelay } from './reconnection.rules';
import { Recovery } from './recovery';
import { RemoteStreams } from './remote-streams';
import { SoundPlayer } from './sound-player';
import { VideoAdapter } from './video-adapter';

export type * from './call-types';

/** One side of a call: connects, reconnects and adapts until `close()`. */
export class CallSession extends Emitter<CallSessionEvents> {
  state: CallState = 'waiting';
  quality: CallQuality = { level: 'good', rtt_ms: null, loss: null, bitrate: null };
  private readonly servers: IceServers;
  private readonly negotiator: Negotiator;
  private readonly monitor: CallMonitor;
  private readonly recovery = new Recovery();
  private readonly streams = new RemoteStreams();
  private readonly sound = new SoundPlayer((isBlocked) => this.send('sound_blocked', isBlocked));
  private readonly adapter: VideoAdapter;
  private readonly subscriptions: Unsubscribe[] = [];
  private wasConnected = false;
  private isClosed = false;

  constructor(private readonly options: CallSessionOptions) {
    super();
    this.servers = new IceServers(options.iceServers);
    const context = {
      ...options,
      servers: this.servers,
      now,
      isAlive: () => this.monitor.isAlive,
      onExchange: () => this.recovery.began(now()),
      onChange: () => this.update(),
    };
    this.negotiator =
      options.role === 'agent' ? new AgentNegotiator(context) : new CustomerNegotiator(context);
    this.adapter = new VideoAdapter(options.media, () => this.negotiator.connection);
    this.monitor = new CallMonitor({
      connection: () => this.negotiator.connection,
      expectsMedia: () => this.streams.expectsMedia,
      onSample: (figures) => this.sampled(figures),
      onReport: (figures) => this.report(figures),
      now,
    });
  }

  get remote(): RemoteMedia {
    return this.streams.current;
  }

  start(): void {
    const { socket, media } = this.options;
    this.subscriptions.push(
      socket.on('connect', () => this.monitor.suspect()),
      socket.on('peer_ready', ({ call_id }) => this.isOwn(call_id) && this.sendMediaState()),
      socket.on('media_state', (event) => this.remoteChanged(event)),
      socket.on('peer_disconnected', (event) => this.peerDisconnected(event)),
      socket.on('peer_reconnected', ({ call_id }) => this.isOwn(call_id) && this.send('grace', null)),
      media.on('change', () => this.localChanged()),
    );
    this.negotiator.start();
    this.monitor.start();
  }

  /** For a customer whose call went to another agent: ends the connection to the former one. */
  expectPeer(): void {
    this.wasConnected = false;
    this.streams.reset();
    this.negotiator.drop();
    this.send('grace', null);
  }

  /** Call it in a tap after `sound_blocked`; any other tap of the page has the same effect. */
  playSound(): Promise<void> {
    return this.sound.play();
  }

  /** Where sound comes out, if the browser has the choice (`canChooseSpeaker`). */
  setSpeaker(deviceId: string): Promise<void> {
    return this.sound.setSpeaker(deviceId);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const unsubscribe of this.subscriptions) unsubscribe();
    this.monitor.stop();
    this.negotiator.close();
    this.sound.close();
    this.removeListeners();
  }

  private isOwn(callId: string): boolean {
    return callId === this.options.callId;
  }

  private sampled(figures: NetworkFigures | null): void {
    const isAlive = this.monitor.isAlive;
    const { socket } = this.options;
    if (isAlive) this.wasConnected = true;
    // A dead socket looks open for up to 14 s, and nothing can be negotiated without one.
    else if (this.wasConnected) socket.probe();
    const attempt = this.recovery.tick({
      now: now(),
      isAlive,
      isSocketUp: socket.connected,
      hasPeer: this.negotiator.hasPeer,
      hasRelay: hasRelay(this.servers.known),
    });
    if (attempt && (this.negotiator.hasPeer || this.wasConnected)) this.negotiator.attempt(attempt);
    if (attempt?.audioOnly) this.adapter.forceAudioOnly();
    if (figures && isAlive) this.judge(figures);
    this.update();
  }

  private judge(figures: NetworkFigures): void {
    this.quality = qualityOf(figures);
    this.send('quality', this.quality);
    if (this.adapter.adapt(figures)) this.sendMediaState();
  }

  private report(figures: NetworkFigures): void {
    const { rtt_ms, loss, bitrate } = qualityOf(figures);
    const { socket, callId } = this.options;
    socket.emit('quality_report', { call_id: callId, rtt_ms, loss, bitrate }).catch(() => undefined);
  }

  private localChanged(): void {
    const { media } = this.options;
    void this.negotiator.connection?.setTracks({ ...media.tracks });
    void this.adapter.apply();
    this.sendMediaState();
  }

  private sendMediaState(): void {
    const { socket, callId } = this.options;
    socket.emit('media_state', { call_id: callId, ...this.adapter.mediaState() }).catch(() => undefined);
  }

  private remoteChanged({ call_id, from, audio, video, screen }: CallEvents['media_state']): void {
    if (!this.isOwn(call_id) || from === this.options.role) return;
    const state: MediaState = { audio, video, screen };
    this.streams.setState(state);
    this.send('media_state', state);
    this.update();
  }

  private peerDisconnected(event: CallEvents['peer_disconnected']): void {
    if (!this.isOwn(event.call_id)) return;
    const { participant, deadline, grace_seconds } = event;
    const left = (Date.parse(deadline) - Date.parse(event.at)) / 1000;
    this.send('grace', { participant, deadline, seconds: Math.min(left, grace_seconds) });
  }

  private update(): void {
    if (this.streams.update(this.negotiator.connection)) {
      this.sound.setTrack(this.streams.soundTrack);
      this.send('remote', this.streams.current);
      void this.adapter.apply();
    }
    const state = callState({
      isClosed: this.isClosed,
      hasPeer: this.negotiator.hasPeer,
      wasConnected: this.wasConnected,
      isAlive: this.monitor.isAlive,
      isAudioOnly: this.adapter.isAudioOnly,
    });
    if (state === this.state) return;
    this.state = state;
    this.send('state', state);
  }
}

const now = () => performance.now();
