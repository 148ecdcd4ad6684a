import type { MediaState } from '../socket-events';
import type { RemoteMedia } from './call-types';
import type { MediaKind } from './media-types';
import type { PeerConnection } from './peer-connection';

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
      video: this.isOn(connection, 'camera', this.state?.video),
      screen: this.isOn(connection, 'screen', this.state?.screen),
    };
    const { audio, video, screen } = this.current;
    if (next.audio === audio && next.video === video && next.screen === screen) return false;
    this.current = next;
    return true;
  }

  /** Not every browser mutes the track of a camera that was turned off, so what the other side says counts first. */
  private isOn(
    connection: PeerConnection | null,
    kind: MediaKind,
    said: boolean | undefined,
  ): MediaStream | null {
    const track = connection?.remoteTrack(kind);
    return track && (said ?? !track.muted) ? this.streamOf(track) : null;
  }

  private streamOf(track: MediaStreamTrack | null | undefined): MediaStream | null {
    if (!track) return null;
    const stream = this.streams.get(track) ?? new MediaStream([track]);
    this.streams.set(track, stream);
    return stream;
  }
}
