import type { Readable } from 'node:stream';
import { OutboundError } from './outbound-error';

/** The first `maxBytes` bytes of a body. The rest is not read, and the stream is destroyed. */
export async function readBeginning(body: Readable, maxBytes: number): Promise<Buffer> {
  const bytes = await readUntil(body, (length) => length >= maxBytes);
  return bytes.subarray(0, maxBytes);
}

/**
 * A whole body. The stream is destroyed as soon as the body proves to be longer.
 * @throws OutboundError if it is longer than `maxBytes`
 */
export async function readWhole(body: Readable, maxBytes: number): Promise<Buffer> {
  const bytes = await readUntil(body, (length) => length > maxBytes);
  if (bytes.length > maxBytes) throw new OutboundError('response body too large');
  return bytes;
}

async function readUntil(body: Readable, isEnough: (length: number) => boolean): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (isEnough(length)) break;
  }
  return Buffer.concat(chunks);
}

/**
 * A body, or its beginning, as text that PostgreSQL can store: U+FFFD replaces invalid UTF-8, NUL is
 * dropped, and so is a character that was cut at the end.
 */
export function decodeBody(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '');
}
