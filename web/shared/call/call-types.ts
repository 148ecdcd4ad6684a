import type { MediaState, Participant } from '../socket-models';
import type { CallSocket } from '../socket-types';
import type { LocalMedia } from './local-media';

export interface CallSessionOptions {
  role: Participant;
  socket: CallSocket;
  callId: string;
  /** Of this load of the page, the one that the socket was made with. */
  session: string;
  /** Fresh credentials. For an agent: by `join_call`, which also makes this socket the one that gets the signals. */
  iceServers: () => Promise<RTCIceServer[]>;
  media: LocalMedia;
}

/**
 * `waiting`: the other side is not there yet. `audio_only`: connected, and the network allows no own video.
 */
export type CallState = 'waiting' | 'connecting' | 'connected' | 'reconnecting' | 'audio_only' | 'closed';

/** The streams of the other side; null while it sends none. */
export interface RemoteMedia {
  audio: MediaStream | null;
  video: MediaStream | null;
  screen: MediaStream | null;
}

export interface CallQuality {
  level: 'good' | 'fair' | 'poor';
  rtt_ms: number | null;
  /** 0 to 1. */
  loss: number | null;
  /** Bits per second, both directions. */
  bitrate: number | null;
}

/** The time in which the participant must be back, or the call ends. */
export interface Grace {
  participant: Participant;
  /** ISO time of the service; `seconds` count from the moment at which the event arrived. */
  deadline: string;
  seconds: number;
}

export interface CallSessionEvents {
  state: CallState;
  remote: RemoteMedia;
  quality: CallQuality;
  /** What the other side has on. */
  media_state: MediaState;
  /** Null when everybody is back. */
  grace: Grace | null;
  /** True while the browser refuses to play sound before the page is tapped: call `playSound()` in the tap. */
  sound_blocked: boolean;
}
