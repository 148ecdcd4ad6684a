import { effect, signal } from '@preact/signals-core';
import {
  CallSession,
  type CallQuality,
  type CallState,
  type Grace,
  type RemoteMedia,
} from '../../shared/call/call-session';
import { DeviceChoices } from '../../shared/call/devices/device-choices';
import { LocalMedia, type MediaResult } from '../../shared/call/local-media';
import type { CallItem, ChatMessage, MediaState, RecordingState, StaffSocket } from '../../shared/socket';
import { CallTransfer } from './call-transfer';
import { mergeMessages } from './chat-messages';
import { applyBlur } from './devices/background-blur';
import { callDevices } from './devices/call-devices';
import { choosePreferredDevices } from './devices/device-preferences';
import { CallRecording } from './recordings/call-recording';
import type { RecordingUploads } from './recordings/recording-uploads';
import type { StaffSession } from './staff-session';

/** What the call needs of the agent's console. */
export interface CallContext {
  socket: StaffSocket;
  session: StaffSession;
  userId: string;
  recordingUploads: RecordingUploads;
}

/** A call of the agent, from the assignment to its end. */
export class AgentCall {
  readonly call;
  readonly state = signal<CallState>('waiting');
  readonly remote = signal<RemoteMedia>({ audio: null, video: null, screen: null });
  readonly remoteMedia = signal<MediaState | null>(null);
  readonly quality = signal<CallQuality | null>(null);
  readonly grace = signal<Grace | null>(null);
  readonly isSoundBlocked = signal(false);
  readonly messages = signal<ChatMessage[]>([]);
  readonly recording = signal<RecordingState>({ recording: 'off', consent: null });
  /** It stays on the screen after its end, without its media. */
  readonly hasEnded = signal(false);
  readonly devices = signal<MediaResult>({ audio: 'prompt', camera: 'prompt' });
  /** Read together with `media`, which has no signals of its own. */
  readonly mediaChanges = signal(0);
  readonly media = new LocalMedia();
  readonly session: CallSession;
  readonly recorder: CallRecording;
  readonly transfer: CallTransfer;
  private readonly choices: DeviceChoices;
  private readonly socket: StaffSocket;
  private readonly unsubscribe: (() => void)[] = [];
  private isClosed = false;
  private joining: Promise<RTCIceServer[]> | null = null;

  constructor(call: CallItem, { socket, session, userId, recordingUploads }: CallContext) {
    this.socket = socket;
    this.call = signal(call);
    this.choices = new DeviceChoices(this.media, callDevices(call.id));
    this.session = new CallSession({
      role: 'agent',
      socket,
      callId: call.id,
      session: socket.session,
      iceServers: () => this.join(),
      media: this.media,
    });
    this.transfer = new CallTransfer(call.id, session, socket);
    this.recorder = new CallRecording(this, userId, recordingUploads);
    this.listen();
  }

  get id(): string {
    return this.call.value.id;
  }

  async start(): Promise<void> {
    this.session.start();
    await choosePreferredDevices(this);
    await this.becomesActive();
    if (this.isClosed) return;
    this.devices.value = await this.choices.open();
  }

  /** Nobody is heard before they answer: a supervisor may have assigned the call. */
  private becomesActive(): Promise<void> {
    return new Promise((resolve) => {
      const end = effect(() => {
        if (this.call.value.status === 'active') resolve();
      });
      this.unsubscribe.push(end);
    });
  }

  async sendMessage(text: string, clientId: string): Promise<void> {
    const message = await this.socket.emit('chat_message', { call_id: this.id, text, client_id: clientId });
    this.messages.value = mergeMessages(this.messages.value, [message]);
  }

  async setRecording(recording: RecordingState['recording']): Promise<void> {
    await this.socket.emit('recording_state', { call_id: this.id, recording });
    this.recording.value = { ...this.recording.value, recording };
  }

  close(): void {
    this.isClosed = true;
    this.hasEnded.value = true;
    this.recorder.close();
    this.transfer.close();
    this.choices.close();
    for (const end of this.unsubscribe) end();
    this.session.close();
    this.media.stop();
  }

  private listen(): void {
    const { session, socket } = this;
    const isOwn = (event: { call_id: string }) => event.call_id === this.id;
    this.unsubscribe.push(
      session.on('state', (state) => (this.state.value = state)),
      session.on('remote', (remote) => (this.remote.value = remote)),
      session.on('media_state', (state) => (this.remoteMedia.value = state)),
      session.on('quality', (quality) => (this.quality.value = quality)),
      session.on('grace', (grace) => (this.grace.value = grace)),
      session.on('sound_blocked', (isBlocked) => (this.isSoundBlocked.value = isBlocked)),
      this.media.on('change', () => {
        this.devices.value = this.media.status;
        this.mediaChanges.value++;
        void applyBlur(this.media.tracks.camera);
      }),
      socket.on('chat_message', (event) => {
        if (isOwn(event)) this.messages.value = mergeMessages(this.messages.value, [event]);
      }),
      socket.on('recording_state', (event) => {
        if (isOwn(event)) this.recording.value = { recording: event.recording, consent: event.consent };
      }),
    );
  }

  /**
   * Also after each reconnection and reload: brings what was missed, however late a service answers that has just started.
   * Repeated calls share one request.
   */
  private join(): Promise<RTCIceServer[]> {
    this.joining ??= this.askToJoin().finally(() => (this.joining = null));
    return this.joining;
  }

  private async askToJoin(): Promise<RTCIceServer[]> {
    const { session } = this.socket;
    const request = { call_id: this.id, session };
    const joined = await this.socket.emitUntilAnswered('join_call', () => (this.isClosed ? null : request));
    this.call.value = joined.call;
    this.messages.value = mergeMessages(this.messages.value, joined.chat_messages ?? []);
    if (joined.recording_state) this.recording.value = joined.recording_state;
    // Not waited for: the connection needs the servers. Without an answer, the next connection asks again.
    if (joined.call.status === 'active') this.transfer.refresh().catch(() => undefined);
    return joined.ice_servers;
  }
}
