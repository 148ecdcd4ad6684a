import { EBML_ID } from './ebml';
import { PartDuration } from './part-duration';
import type { WebmBlock } from './webm-blocks';
import type { Track } from './webm-header';

/** Bytes that are passed on at a time: each chunk costs the storage a write. */
const CHUNK_BYTES = 256 * 1024;
const CLUSTER_BYTES = 22;
const KEY_FRAME = 0x80;
/** Between two entries of the index, at first. */
const CUE_DISTANCE_MS = 1000;
/** Five hours of them. A longer index is thinned out. */
const MAX_CUES = 20_000;

/** A frame at which a player can begin. */
export interface Cue {
  /** Milliseconds. */
  time: number;
  track: number;
  /** Where its cluster begins, in bytes after the first one. */
  at: number;
}

/** Writes blocks into clusters whose times are shifted, and remembers where players can begin. */
export class ClusterWriter {
  cues: Cue[] = [];
  private cueDistance = CUE_DISTANCE_MS;
  private readonly measured = new PartDuration();
  /** The track of the index: the picture, because its frames need a key frame. */
  private readonly indexed: Track | undefined;
  private chunks: Buffer[] = [];
  private length = 0;
  private passedOn = 0;
  private cluster: string | undefined;
  private clusterAt = 0;

  constructor(tracks: Track[]) {
    this.indexed = tracks.find(({ isVideo }) => isVideo) ?? tracks[0];
  }

  /** Milliseconds of all that was written. */
  get duration(): number {
    return this.measured.milliseconds;
  }

  /**
   * @param shift milliseconds
   * @param track the number of the track
   */
  *write(
    { clusterTime, offset, bytes, trackAt }: WebmBlock,
    shift: number,
    track: number,
  ): Generator<Buffer> {
    const shiftedTime = Math.max(0, clusterTime + shift);
    const cluster = `${shift} ${clusterTime}`;
    if (cluster !== this.cluster) {
      this.cluster = cluster;
      this.clusterAt = this.passedOn + this.length;
      this.push(clusterHead(shiftedTime));
    }
    const time = Math.max(0, clusterTime + offset + shift);
    this.measured.add({ track, clusterTime: time, offset: 0 });
    if (bytes[0] === EBML_ID.simpleBlock && (bytes.readUInt8(trackAt + 3) & KEY_FRAME) !== 0)
      this.index(time, track);
    bytes.writeUInt8(0x80 | track, trackAt);
    // Changes only where the cluster would begin before 0.
    bytes.writeInt16BE(time - shiftedTime, trackAt + 1);
    this.push(bytes);
    if (this.length >= CHUNK_BYTES) yield* this.flush();
  }

  *flush(): Generator<Buffer> {
    if (this.length > 0) yield Buffer.concat(this.chunks);
    this.passedOn += this.length;
    this.chunks = [];
    this.length = 0;
  }

  private index(time: number, track: number): void {
    const isFar = time - (this.cues.at(-1)?.time ?? Number.NEGATIVE_INFINITY) >= this.cueDistance;
    if (track !== this.indexed?.number || !isFar) return;
    this.cues.push({ time, track, at: this.clusterAt });
    if (this.cues.length < MAX_CUES) return;
    this.cues = this.cues.filter((_, place) => place % 2 === 0);
    this.cueDistance *= 2;
  }

  private push(bytes: Buffer): void {
    this.chunks.push(bytes);
    this.length += bytes.length;
  }
}

/** The size is unknown, as in live streams: the next cluster ends it. */
function clusterHead(time: number): Buffer {
  const head = Buffer.alloc(CLUSTER_BYTES, 0xff);
  head.writeUInt32BE(EBML_ID.cluster, 0);
  head.writeUInt8(0x01, 4);
  head.writeUInt16BE((EBML_ID.timestamp << 8) | 0x88, 12);
  head.writeBigUInt64BE(BigInt(time), 14);
  return head;
}
