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
  /** The element that begins the file. */
  ebml: Buffer;
  /** What the element Info has, without the duration: that of one part is not that of the joined recording. */
  info: Buffer;
  /** The element Tracks. */
  tracksElement: Buffer;
  tracks: Track[];
}

/** Reads up to the first cluster. @throws NotJoinable */
export async function readWebmHeader(reader: ByteReader): Promise<WebmHeader> {
  const header: WebmHeader = { ebml: NOTHING, info: NOTHING, tracksElement: NOTHING, tracks: [] };
  for (let total = 0; ;) {
    const head = readHead(await reader.peek(MAX_HEAD_BYTES));
    if (!head || total > MAX_HEADER_BYTES) throw new NotJoinable('The part is not WebM.');
    if (header.ebml === NOTHING && head.id !== EBML_ID.ebml) throw new NotJoinable('The part is not WebM.');
    if (head.id === EBML_ID.cluster) break;
    // The index of a joined recording, which grows with it.
    if (head.id === EBML_ID.cues && head.size !== null) {
      await reader.skip(head.length + head.size);
      continue;
    }
    const bytes = await readElement(reader, head.id === EBML_ID.segment ? { ...head, size: 0 } : head);
    total += bytes.length;
    const content = bytes.subarray(head.length);
    if (head.id === EBML_ID.ebml) header.ebml = bytes;
    if (head.id === EBML_ID.info) header.info = withoutDuration(content);
    if (head.id === EBML_ID.tracks) {
      header.tracks = tracksOf(content);
      header.tracksElement = bytes;
    }
  }
  if (header.tracks.length === 0) throw new NotJoinable('The part has no tracks.');
  return header;
}

const NOTHING = Buffer.alloc(0);

async function readElement(reader: ByteReader, { size, length }: { size: number | null; length: number }) {
  const isTooLarge = size === null || !(length + size <= MAX_HEADER_BYTES);
  const bytes = isTooLarge ? undefined : await reader.read(length + size);
  if (!bytes) throw new NotJoinable('The part is not WebM.');
  return bytes;
}

function withoutDuration(content: Buffer): Buffer {
  const kept: Buffer[] = [];
  let at = 0;
  for (const child of childrenOf(content)) {
    if (child.id === EBML_ID.timestampScale && readUnsigned(child.content) !== MILLISECOND) {
      throw new NotJoinable('The times of the part are not in milliseconds.');
    }
    const end = at + child.length + child.content.length;
    if (child.id !== EBML_ID.duration) kept.push(content.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
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
