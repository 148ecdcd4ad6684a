import { Emitter, type Unsubscribe } from '../emitter';
import type { CallEvents } from '../socket-events';
import { CallLink } from './call-link';
import { callState } from './call-state.rules';
import type {
  CallQuality,
  CallSessionEvents,
  CallSessionOptions,
  CallState,
  RemoteMedia,
} from './call-types';
import { qualityOf, type NetworkFigures } from './quality/quality.rules';
import { RemoteStreams } from './remote-streams';
import { SoundPlayer } from './sound-player';
import { VideoAdapter } from './quality/video-adapter';

export type * from './call-types';

/** One side of a call: connects, reconnects and adapts until `close()`. */
export class CallSession extends Emitter<CallSessionEvents> {
  state: CallState = 'waiting';
  quality: CallQuality = { level: 'good', rtt_ms: null, loss: null, bitrate: null };
  private readonly link: CallLink;
  private readonly streams = new RemoteStreams();
  private readonly sound = new SoundPlayer((isBlocked) => this.send('sound_blocked', isBlocked));
  private readonly adapter: VideoAdapter;
  private readonly subscriptions: Unsubscribe[] = [];
  private isClosed = false;

  constructor(private readonly options: CallSessionOptions) {
    super();
    this.link = new CallLink(options, {
      expectsMedia: () => this.streams.expectsMedia,
      onFigures: (figures) => this.judge(figures),
      onReport: (figures) => this.report(figures),
      onAudioOnly: () => this.forceAudioOnly(),
      onChange: () => this.update(),
    });
    this.adapter = new VideoAdapter(options.media, () => this.link.connection);
  }

  get remote(): RemoteMedia {
    return this.streams.current;
  }

  start(): void {
    const { socket, media } = this.options;
    this.subscriptions.push(
      socket.on('peer_ready', ({ call_id }) => this.isOwn(call_id) && this.sendMediaState()),
      socket.on('media_state', (event) => this.remoteChanged(event)),
      socket.on('peer_disconnected', (event) => this.peerDisconnected(event)),
      socket.on('peer_reconnected', ({ call_id }) => this.isOwn(call_id) && this.send('grace', null)),
      media.on('change', () => this.localChanged()),
    );
    this.link.start();
  }

  /** For a customer whose call went to another agent: ends the connection to the former one. */
  expectPeer(): void {
    this.streams.reset();
    this.link.drop();
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
    this.link.close();
    this.sound.close();
    this.removeListeners();
  }

  private isOwn(callId: string): boolean {
    return callId === this.options.callId;
  }

  private judge(figures: NetworkFigures): void {
    this.quality = qualityOf(figures);
    this.send('quality', this.quality);
    if (this.adapter.adapt(figures)) this.sendMediaState();
  }

  private forceAudioOnly(): void {
    this.adapter.forceAudioOnly();
    this.sendMediaState();
  }

  private report(figures: NetworkFigures): void {
    const { rtt_ms, loss, bitrate } = qualityOf(figures);
    const { socket, callId } = this.options;
    socket.emit('quality_report', { call_id: callId, rtt_ms, loss, bitrate }).catch(() => undefined);
  }

  private localChanged(): void {
    void this.link.connection?.setTracks(this.options.media.tracks);
    void this.adapter.apply();
    this.sendMediaState();
    this.update();
  }

  private sendMediaState(): void {
    const { socket, callId } = this.options;
    socket.emit('media_state', { call_id: callId, ...this.adapter.mediaState() }).catch(() => undefined);
  }

  private remoteChanged({ call_id, from, audio, video, screen }: CallEvents['media_state']): void {
    if (!this.isOwn(call_id) || from === this.options.role) return;
    this.streams.setState({ audio, video, screen });
    this.send('media_state', { audio, video, screen });
    this.update();
  }

  private peerDisconnected(event: CallEvents['peer_disconnected']): void {
    if (!this.isOwn(event.call_id)) return;
    const { participant, deadline, grace_seconds } = event;
    const left = (Date.parse(deadline) - Date.parse(event.at)) / 1000;
    this.send('grace', { participant, deadline, seconds: Math.min(left, grace_seconds) });
  }

  private update(): void {
    if (this.streams.update(this.link.connection)) {
      this.sound.setTrack(this.streams.soundTrack);
      this.send('remote', this.streams.current);
      void this.adapter.apply();
    }
    const state = callState({
      isClosed: this.isClosed,
      hasPeer: this.link.hasPeer,
      wasConnected: this.link.wasConnected,
      isAlive: this.link.isAlive,
      isAudioOnly: this.adapter.isAudioOnly,
    });
    if (state === this.state) return;
    this.state = state;
    this.send('state', state);
  }
}
