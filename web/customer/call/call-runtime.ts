import { signal } from '@preact/signals';
import type { MediaState } from '../../shared/socket-models';
import type { CallSocket } from '../../shared/socket';
import {
  type CallQuality,
  CallSession,
  type CallState,
  type RemoteMedia,
} from '../../shared/call/call-session';
import { DeviceChoices, type DeviceMemory } from '../../shared/call/devices/device-choices';
import type { LiveCall } from '../service/live-call';
import { type CallMedia, callMedia } from './call-media';

/** Without WebRTC only the chat is left. */
export const canSeeAndHear = (): boolean => typeof RTCPeerConnection === 'function';

export interface CallRuntimeOptions {
  live: LiveCall;
  callId: string;
  iceServers: () => Promise<RTCIceServer[]>;
  devices: DeviceMemory;
  /** Whether the customer has already said, before a reload, that the camera may start. */
  isReady: boolean;
  onReady: () => void;
}

/** The running call: its connection to the agent, and what the page shows of it. */
export class CallRuntime {
  readonly media: CallMedia = callMedia;
  readonly remote = signal<RemoteMedia>({ audio: null, video: null, screen: null });
  readonly state = signal<CallState>('waiting');
  readonly quality = signal<CallQuality | null>(null);
  /** What the agent has on; null until they say so. */
  readonly peerMedia = signal<MediaState | null>(null);
  /** Whether camera and microphone may be used. */
  readonly isReady = signal(false);
  readonly isSoundBlocked = signal(false);
  private session: CallSession | null = null;
  private readonly closing = new AbortController();
  private readonly choices: DeviceChoices;

  constructor(private readonly options: CallRuntimeOptions) {
    this.choices = new DeviceChoices(this.media.local, options.devices);
  }

  /** Connects. The connection waits neither for the customer nor for the answer to the browser's question. */
  async start(): Promise<void> {
    const { live, isReady } = this.options;
    if (isReady) this.ready();
    // Before the first signal, so that this page and no other one of the customer gets them.
    await live.takeOver(this.closing.signal);
    if (!this.closing.signal.aborted && live.socket && canSeeAndHear()) this.connect(live.socket);
  }

  /** The customer wants to be seen and heard. */
  ready(): void {
    if (this.isReady.value) return;
    this.isReady.value = true;
    this.options.onReady();
    void this.choices.open().then(() => this.media.renew());
  }

  /** Another agent has the call now. */
  changeAgent(): void {
    this.session?.expectPeer();
    this.peerMedia.value = null;
  }

  playSound(): void {
    void this.session?.playSound();
  }

  /** @throws DOMException if the browser cannot use this speaker, for example one that was just unplugged */
  async setSpeaker(deviceId: string): Promise<void> {
    await this.session?.setSpeaker(deviceId);
  }

  close(): void {
    this.closing.abort();
    this.choices.close();
    this.session?.close();
    this.session = null;
    this.media.stop();
  }

  private connect(socket: CallSocket): void {
    const { callId, iceServers, live } = this.options;
    const { local } = this.media;
    const session = new CallSession({
      role: 'customer',
      socket,
      callId,
      session: live.session,
      iceServers,
      media: local,
    });
    session.on('state', (state) => {
      this.state.value = state;
      if (state === 'connected') live.onEvent({ type: 'connected' });
    });
    session.on('remote', (remote) => (this.remote.value = { ...remote }));
    session.on('quality', (quality) => (this.quality.value = quality));
    session.on('media_state', (state) => (this.peerMedia.value = state));
    session.on('sound_blocked', (isBlocked) => (this.isSoundBlocked.value = isBlocked));
    this.session = session;
    session.start();
  }
}
