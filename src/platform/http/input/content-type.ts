import { fileTypeFromBuffer } from 'file-type';

/** How many of a file's first bytes are needed to detect its type. */
export const SAMPLE_BYTES = 64 * 1024;

/** Characters that do not occur in text: "binary data bytes" (MIME Sniffing Standard, 3). */
// oxlint-disable-next-line no-control-regex
const BINARY = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/;

/**
 * The media type of a file, by its content only: the type and the name that a client sends are not trusted.
 * @param sample the first SAMPLE_BYTES bytes of the file, or the whole file
 */
export async function detectContentType(sample: Buffer): Promise<string> {
  const found = await detectKnownType(sample);
  if (found) return found;
  return isText(sample) ? 'text/plain; charset=utf-8' : 'application/octet-stream';
}

/** The parser throws for some truncated or inconsistent headers. */
async function detectKnownType(sample: Buffer): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(sample))?.mime;
  } catch {
    return undefined;
  }
}

function isText(sample: Buffer): boolean {
  // A sample can end within a character; a whole file cannot.
  const isTruncated = sample.length >= SAMPLE_BYTES;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: isTruncated });
    return !BINARY.test(text);
  } catch {
    return false;
  }
}
