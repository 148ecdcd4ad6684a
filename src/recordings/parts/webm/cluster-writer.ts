import { EBML_ID } from './ebml';
import type { WebmBlock } from './webm-blocks';

/** Bytes that are passed on at a time: each chunk costs the storage a write. */
const CHUNK_BYTES = 256 * 1024;
const CLUSTER_BYTES = 22;

/** Writes blocks into clusters whose times are shifted. */
export class ClusterWriter {
  private chunks: Buffer[] = [];
  private length = 0;
  private cluster: string | undefined;

  /** @param bytes what precedes the first cluster */
  constructor(bytes: Buffer) {
    this.push(bytes);
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
      this.push(clusterHead(shiftedTime));
    }
    bytes.writeUInt8(0x80 | track, trackAt);
    // Changes only where the cluster would begin before 0.
    bytes.writeInt16BE(Math.max(0, clusterTime + offset + shift) - shiftedTime, trackAt + 1);
    this.push(bytes);
    if (this.length >= CHUNK_BYTES) yield* this.flush();
  }

  *flush(): Generator<Buffer> {
    if (this.length > 0) yield Buffer.concat(this.chunks);
    this.chunks = [];
    this.length = 0;
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
