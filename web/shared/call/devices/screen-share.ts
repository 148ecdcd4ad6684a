import { statusOfError } from './media-errors';
import type { MediaStatus } from '../media-types';

/** Phones cannot share their screen. */
export function canShareScreen(): boolean {
  return typeof navigator.mediaDevices?.getDisplayMedia === 'function';
}

/** The screen, window or tab that the person shares. */
export class ScreenShare {
  track: MediaStreamTrack | null = null;
  /** How often the screen was asked for or given up: whoever chooses a screen after the call shares it no more. */
  private attempt = 0;

  constructor(
    private readonly onChange: () => void,
    /** The person ended it by the browser's own button. */
    private readonly onEnded: () => void,
  ) {}

  async start(): Promise<MediaStatus> {
    if (!canShareScreen()) return 'missing';
    const attempt = ++this.attempt;
    try {
      const stream = await navigator.mediaDevices.getDisplayMedia({ video: { frameRate: { max: 15 } } });
      if (attempt !== this.attempt) {
        for (const track of stream.getTracks()) track.stop();
        return 'off';
      }
      this.replace(stream.getVideoTracks()[0] ?? null);
      return this.track ? 'ok' : 'missing';
    } catch (error) {
      return statusOfError(error, null);
    }
  }

  stop(): void {
    this.attempt++;
    if (this.track) this.replace(null);
  }

  private replace(track: MediaStreamTrack | null): void {
    this.track?.removeEventListener('ended', this.ended);
    this.track?.stop();
    this.track = track;
    if (track) {
      // Sharp text is worth more than smooth movement.
      track.contentHint = 'detail';
      track.addEventListener('ended', this.ended);
    }
    this.onChange();
  }

  private readonly ended = () => {
    this.replace(null);
    this.onEnded();
  };
}
