import { fileTypeFromBuffer } from 'file-type';
import { SAMPLE_BYTES } from '../uploads/storage-engine';

/** What no text has in it: "binary data bytes" (MIME Sniffing Standard, 3). */
// oxlint-disable-next-line no-control-regex
const BINARY = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/;

/**
 * The media type of a file, from its content alone: what a client says of it may be a lie.
 * @param sample its first SAMPLE_BYTES bytes, or all there are
 */
export async function contentTypeOf(sample: Buffer): Promise<string> {
  const found = await knownType(sample);
  if (found) return found;
  return isText(sample) ? 'text/plain; charset=utf-8' : 'application/octet-stream';
}

/** A file that breaks off in its header, or lies about itself, may make the parser stumble. */
async function knownType(sample: Buffer): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(sample))?.mime;
  } catch {
    return undefined;
  }
}

function isText(sample: Buffer): boolean {
  // The last character of a sample, but not of a whole file, may be cut.
  const isCut = sample.length >= SAMPLE_BYTES;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: isCut });
    return !BINARY.test(text);
  } catch {
    return false;
  }
}
