import type { ByteReader } from './byte-reader';
import { EBML_ID, type Element, MAX_HEAD_BYTES, readChildren, readHead, readUnsigned } from './ebml';
import { NotJoinable } from './not-joinable';

/** Browsers write some hundred bytes. */
const MAX_HEADER_BYTES = 64 * 1024;
const MILLISECOND = 1_000_000;
const VIDEO_TYPE = 1;
/** Block headers with larger numbers are longer. */
const MAX_TRACK_NUMBER = 126;

export interface Track {
  number: number;
  isVideo: boolean;
  /** What a player needs to decode it: tracks of two parts are the same if it is equal. */
  decoding: string;
}

/** What precedes the first cluster. */
export interface WebmHeader {
  /** Playable when clusters of unknown size follow, however many. */
  bytes: Buffer;
  tracks: Track[];
}

/** Reads up to the first cluster. @throws NotJoinable */
export async function readWebmHeader(reader: ByteReader): Promise<WebmHeader> {
  const kept: Buffer[] = [];
  let tracks: Track[] = [];
  for (let total = 0; ;) {
    const head = readHead(await reader.peek(MAX_HEAD_BYTES));
    if (!head || total > MAX_HEADER_BYTES) throw new NotJoinable('The part is not WebM.');
    if (kept.length === 0 && head.id !== EBML_ID.ebml) throw new NotJoinable('The part is not WebM.');
    if (head.id === EBML_ID.cluster) break;
    const bytes = await readElement(reader, head.id === EBML_ID.segment ? { ...head, size: 0 } : head);
    total += bytes.length;
    const content = bytes.subarray(head.length);
    if (head.id === EBML_ID.segment) kept.push(SEGMENT);
    if (head.id === EBML_ID.ebml) kept.push(bytes);
    if (head.id === EBML_ID.info) kept.push(withoutDuration(bytes, content));
    if (head.id === EBML_ID.tracks) {
      tracks = tracksOf(content);
      kept.push(bytes);
    }
  }
  if (tracks.length === 0) throw new NotJoinable('The part has no tracks.');
  return { bytes: Buffer.concat(kept), tracks };
}

const SEGMENT = Buffer.from('1853806701ffffffffffffff', 'hex');

async function readElement(reader: ByteReader, { size, length }: { size: number | null; length: number }) {
  const isTooLarge = size === null || !(length + size <= MAX_HEADER_BYTES);
  const bytes = isTooLarge ? undefined : await reader.read(length + size);
  if (!bytes) throw new NotJoinable('The part is not WebM.');
  return bytes;
}

/** The duration of one part would be that of the joined recording: it is overwritten by an element without meaning. */
function withoutDuration(bytes: Buffer, content: Buffer): Buffer {
  const result = Buffer.from(bytes);
  for (const child of childrenOf(content)) {
    if (child.id === EBML_ID.timestampScale && readUnsigned(child.content) !== MILLISECOND) {
      throw new NotJoinable('The times of the part are not in milliseconds.');
    }
    if (child.id !== EBML_ID.duration) continue;
    const length = child.length + child.content.length;
    const start =
      bytes.length - content.length + child.content.byteOffset - content.byteOffset - child.length;
    result.fill(0, start, start + length);
    result.writeUInt8(EBML_ID.void, start);
    result.writeUInt8(0x80 | (length - 2), start + 1);
  }
  return result;
}

const tracksOf = (content: Buffer): Track[] =>
  childrenOf(content)
    .filter(({ id }) => id === EBML_ID.trackEntry)
    .map((entry) => trackOf(childrenOf(entry.content)));

function trackOf(fields: Element[]): Track {
  const field = (id: number, from = fields) =>
    from.find((each) => each.id === id)?.content ?? Buffer.alloc(0);
  const number = readUnsigned(field(EBML_ID.trackNumber));
  if (!(number >= 1 && number <= MAX_TRACK_NUMBER)) throw new NotJoinable('The part has too many tracks.');
  const type = readUnsigned(field(EBML_ID.trackType));
  const audio = childrenOf(field(EBML_ID.audio));
  const decoding = [
    type,
    field(EBML_ID.codec).toString('latin1'),
    field(EBML_ID.codecPrivate).toString('hex'),
    field(EBML_ID.samplingFrequency, audio).toString('hex'),
    field(EBML_ID.channels, audio).toString('hex'),
  ].join(' ');
  return { number, isVideo: type === VIDEO_TYPE, decoding };
}

function childrenOf(content: Buffer): Element[] {
  const children = readChildren(content);
  if (!children) throw new NotJoinable('The part is not WebM.');
  return children;
}
