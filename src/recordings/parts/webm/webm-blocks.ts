import type { ByteReader } from './byte-reader';
import { EBML_ID, MAX_HEAD_BYTES, readHead, readUnsigned } from './ebml';
import { NotJoinable } from './not-joinable';

/** Larger than a frame of any camera. */
const MAX_BLOCK_BYTES = 8 * 1024 * 1024;
/** The number of the track, the time within the cluster, and flags. */
const BLOCK_HEADER_BYTES = 4;

/** A frame, or the group of a frame and what belongs to it. */
export interface WebmBlock {
  /** Of its cluster, in milliseconds. */
  clusterTime: number;
  /** After that of the cluster, in milliseconds. */
  offset: number;
  track: number;
  /** Its element. */
  bytes: Buffer;
  /** Where `bytes` has the number of the track. */
  trackAt: number;
}

/** Elements of a segment that may come between or after its clusters, and mean nothing once it is joined. */
const IGNORED: ReadonlySet<number> = new Set([
  EBML_ID.void,
  EBML_ID.seekHead,
  EBML_ID.cues,
  EBML_ID.tags,
  0xbf, // CRC-32
  0xa7, // Position
  0xab, // PrevSize
]);

/**
 * Reads the blocks that follow the header. An incomplete one at the end is left out: a page that was closed wrote it.
 * @throws NotJoinable for anything else
 */
export async function* readBlocks(reader: ByteReader): AsyncGenerator<WebmBlock> {
  let clusterTime: number | undefined;
  for (;;) {
    const start = await reader.peek(MAX_HEAD_BYTES);
    const head = readHead(start);
    if (!head) {
      if (start.length < MAX_HEAD_BYTES) return;
      throw malformed();
    }
    if (head.id === EBML_ID.cluster) {
      await reader.skip(head.length);
      clusterTime = undefined;
      continue;
    }
    if (head.size === null || Number.isNaN(head.size)) throw malformed();
    if (IGNORED.has(head.id)) {
      await reader.skip(head.length + head.size);
      continue;
    }
    if (head.size > MAX_BLOCK_BYTES) throw malformed();
    const bytes = await reader.read(head.length + head.size);
    if (!bytes) return;
    if (head.id === EBML_ID.timestamp) clusterTime = timeOf(bytes.subarray(head.length));
    else if (clusterTime === undefined) throw malformed();
    else yield { clusterTime, ...blockOf(head.id, bytes, head.length) };
  }
}

function timeOf(content: Buffer): number {
  const time = readUnsigned(content);
  if (Number.isNaN(time)) throw malformed();
  return time;
}

function blockOf(id: number, bytes: Buffer, start: number): Omit<WebmBlock, 'clusterTime'> {
  if (id === EBML_ID.blockGroup) {
    // Muxers write the block first.
    const inner = readHead(bytes, start);
    if (inner?.id !== EBML_ID.block) throw malformed();
    return blockOf(EBML_ID.block, bytes, start + inner.length);
  }
  const track = (bytes[start] ?? 0) & 0x7f;
  if (id !== EBML_ID.simpleBlock && id !== EBML_ID.block) throw malformed();
  if (bytes.length < start + BLOCK_HEADER_BYTES || (bytes[start] ?? 0) < 0x80) throw malformed();
  return { offset: bytes.readInt16BE(start + 1), track, bytes, trackAt: start };
}

const malformed = () => new NotJoinable('The part is not WebM as browsers record it.');
