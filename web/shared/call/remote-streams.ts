import type { MediaState } from '../socket-models';
import type { RemoteMedia } from './call-types';
import type { MediaKind } from './media-types';
import type { PeerConnection } from './negotiation/peer-connection';

const NOTHING: RemoteMedia = { audio: null, video: null, screen: null };

/** The other side's streams. A stream stays the same object as long as its track does, so that a video keeps playing. */
export class RemoteStreams {
  current: RemoteMedia = NOTHING;
  /** As the other side said; null before it did. */
  private state: MediaState | null = null;
  private readonly streams = new Map<MediaStreamTrack, MediaStream>();

  get expectsMedia(): boolean {
    return this.state === null || this.state.audio || this.state.video || this.state.screen;
  }

  get soundTrack(): MediaStreamTrack | null {
    return this.current.audio?.getAudioTracks()[0] ?? null;
  }

  setState(state: MediaState): void {
    this.state = state;
  }

  /** Another agent has taken over. */
  reset(): void {
    this.state = null;
  }

  /** @returns whether `current` is another one now */
  update(connection: PeerConnection | null): boolean {
    const next: RemoteMedia = {
      // Silence is no reason to remove the element that plays sound.
      audio: this.streamOf(connection?.remoteTrack('audio')),
      video: this.videoOf(
        connection,
        'camera',
        this.state?.video ?? !connection?.remoteTrack('camera')?.muted,
      ),
      screen: this.videoOf(connection, 'screen', this.state?.screen ?? false),
    };
    const { audio, video, screen } = this.current;
    if (next.audio === audio && next.video === video && next.screen === screen) return false;
    this.current = next;
    return true;
  }

  /** Browsers do not mute the track of a camera that was turned off, so what the other side says counts first. */
  private videoOf(connection: PeerConnection | null, kind: MediaKind, isOn: boolean): MediaStream | null {
    return isOn ? this.streamOf(connection?.remoteTrack(kind)) : null;
  }

  private streamOf(track: MediaStreamTrack | null | undefined): MediaStream | null {
    if (!track) return null;
    const stream = this.streams.get(track) ?? new MediaStream([track]);
    this.streams.set(track, stream);
    return stream;
  }
}
