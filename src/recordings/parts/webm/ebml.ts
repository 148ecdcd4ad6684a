/** Ids of EBML elements (RFC 8794, RFC 9559), with their length marker. */
export const EBML_ID = {
  ebml: 0x1a45dfa3,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  void: 0xec,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  codec: 0x86,
  codecPrivate: 0x63a2,
  audio: 0xe1,
  samplingFrequency: 0xb5,
  channels: 0x9f,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  seekHead: 0x114d9b74,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cueTrackPositions: 0xb7,
  cueTrack: 0xf7,
  cueClusterPosition: 0xf1,
  tags: 0x1254c367,
} as const;

/** An element's id, and the length of its content in bytes; null if it is unknown. */
export interface ElementHead {
  id: number;
  size: number | null;
  /** Length of the head itself, in bytes. */
  length: number;
}

export interface Element extends ElementHead {
  content: Buffer;
}

const MAX_ID_BYTES = 4;
const MAX_SIZE_BYTES = 8;
export const MAX_HEAD_BYTES = MAX_ID_BYTES + MAX_SIZE_BYTES;

/** @returns undefined if it is incomplete or malformed */
export function readHead(bytes: Buffer, start = 0): ElementHead | undefined {
  const idLength = vintLength(bytes[start]);
  const sizeLength = vintLength(bytes[start + idLength]);
  const length = idLength + sizeLength;
  if (idLength === 0 || idLength > MAX_ID_BYTES || sizeLength === 0) return undefined;
  if (start + length > bytes.length) return undefined;
  const id = bytes.readUIntBE(start, idLength);
  return { id, size: readSize(bytes.subarray(start + idLength, start + length)), length };
}

/** @returns the children of a complete element; undefined if one of them is malformed */
export function readChildren(content: Buffer): Element[] | undefined {
  const children: Element[] = [];
  for (let at = 0; at < content.length;) {
    const head = readHead(content, at);
    if (!head || head.size === null || at + head.length + head.size > content.length) return undefined;
    const start = at + head.length;
    at = start + head.size;
    children.push({ ...head, content: content.subarray(start, at) });
  }
  return children;
}

/** An element of the content. Its size always takes eight bytes. */
export function element(id: number, ...content: Buffer[]): Buffer {
  const size = content.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([elementHead(id, size), ...content]);
}

/** What precedes the content of an element of `size` bytes. */
export function elementHead(id: number, size: number): Buffer {
  const digits = id.toString(16);
  const head = Buffer.alloc(digits.length / 2 + MAX_SIZE_BYTES);
  head.write(digits, 'hex');
  head.writeBigUInt64BE(BigInt(size), digits.length / 2);
  head.writeUInt8(0x01, digits.length / 2);
  return head;
}

export function unsigned(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

/** @returns NaN if it is too large for a number */
export function readUnsigned(content: Buffer): number {
  if (content.length > 8) return NaN;
  const value = Number(`0x${content.toString('hex') || '0'}`);
  return Number.isSafeInteger(value) ? value : NaN;
}

/** @returns the length in bytes of a variable-length integer by its first byte; 0 if it is invalid */
const vintLength = (first: number | undefined): number => (first ? Math.clz32(first) - 23 : 0);

function readSize(bytes: Buffer): number | null {
  const first = (bytes[0] ?? 0) & (0xff >> bytes.length);
  const rest = bytes.subarray(1);
  const isUnknown = first === 0xff >> bytes.length && rest.every((byte) => byte === 0xff);
  return isUnknown ? null : readUnsigned(Buffer.concat([Buffer.of(first), rest]));
}
