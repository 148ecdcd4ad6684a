import { Emitter } from '../emitter';
import type {
  CallQuality,
  CallSessionEvents,
  CallSessionOptions,
  CallState,
  RemoteMedia,
} from './call-types';

export type * from './call-types';

/** One side of a call: connects, reconnects and adapts until `close()`. */
export class CallSession extends Emitter<CallSessionEvents> {
  state: CallState = 'waiting';
  remote: RemoteMedia = { audio: null, video: null, screen: null };
  quality: CallQuality = { level: 'good', rtt_ms: null, loss: null, bitrate: null };

  constructor(readonly options: CallSessionOptions) {
    super();
  }

  start(): void {}

  /** Plays the other side's sound; call it in a tap after `sound_blocked`. The session has its own audio element. */
  playSound(): Promise<void> {
    return Promise.resolve();
  }

  /** Where sound comes out, if the browser has the choice (`canChooseSpeaker`). */
  setSpeaker(_deviceId: string): Promise<void> {
    return Promise.resolve();
  }

  close(): void {}
}
