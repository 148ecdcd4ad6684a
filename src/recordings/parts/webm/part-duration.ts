import type { WebmBlock } from './webm-blocks';

/** A longer gap between two frames is an interruption, not the duration of a frame. */
export const MAX_FRAME_MS = 1000;

/**
 * Measures how long a part is: from its first frame to the end of the last one, which lasts as long as the one before it in
 * its track.
 */
export class PartDuration {
  /** Time of the first frame, in milliseconds: a part that is cut from a longer stream does not start at 0. */
  origin: number | undefined;
  private readonly tracks = new Map<number, { last: number; frame: number }>();

  add({ track, clusterTime, offset }: Pick<WebmBlock, 'track' | 'clusterTime' | 'offset'>): void {
    this.origin ??= Math.max(0, clusterTime + offset);
    const time = Math.max(0, clusterTime + offset - this.origin);
    const before = this.tracks.get(track);
    const gap = before ? time - before.last : 0;
    const frame = gap > 0 && gap <= MAX_FRAME_MS ? gap : (before?.frame ?? 1);
    this.tracks.set(track, { last: Math.max(time, before?.last ?? 0), frame });
  }

  /** 0 without a frame. */
  get milliseconds(): number {
    return Math.max(0, ...Array.from(this.tracks.values(), ({ last, frame }) => last + frame));
  }
}
