import { fileTypeFromBuffer } from 'file-type';

/** How many of a file's first bytes are needed to detect its type. */
export const SAMPLE_BYTES = 64 * 1024;

/** The control characters that occur in text: tab, line feed, form feed, carriage return, escape. */
const TEXT_CONTROLS = [0x09, 0x0a, 0x0c, 0x0d, 0x1b];

/** A byte that does not occur in text: "binary data byte" (MIME Sniffing Standard, 3). */
const isBinary = (byte: number): boolean => byte < 0x20 && !TEXT_CONTROLS.includes(byte);

/** A type and a subtype (RFC 6838, 4.2), without parameters. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** What a part of a form has without a type (RFC 7578, 4.4), too, so it is reported only if the content can be text. */
const PLAIN_TEXT = 'text/plain';

/** What clients declare for any file. */
const GENERIC_TYPES = ['application/octet-stream', PLAIN_TEXT];

/** The media type of an uploaded file. */
export interface ContentType {
  content_type: string;
  /** Whether the type is the client's, because the content has no signature. It must not be trusted. */
  is_type_declared: boolean;
}

/**
 * The media type of an uploaded file: that of its signature, otherwise the declared one, otherwise text or unknown.
 * @param sample the first SAMPLE_BYTES bytes of the file, or the whole file
 * @param declared a Content-Type; ignored if it is malformed or generic
 */
export async function contentTypeOf(sample: Buffer, declared: string): Promise<ContentType> {
  const found = await detectKnownType(sample);
  if (found) return { content_type: found, is_type_declared: false };
  const [type = ''] = declared.split(';', 1);
  const content_type = type.trim().toLowerCase();
  if (MEDIA_TYPE.test(content_type) && !GENERIC_TYPES.includes(content_type)) {
    return { content_type, is_type_declared: true };
  }
  const isOtherEncoding = content_type === PLAIN_TEXT && !isText(sample) && !sample.some(isBinary);
  if (isOtherEncoding) return { content_type, is_type_declared: true };
  return { content_type: typeWithoutSignature(sample), is_type_declared: false };
}

/**
 * The media type of a file, by its content only: the type and the name that a client sends are not trusted.
 * @param sample the first SAMPLE_BYTES bytes of the file, or the whole file
 */
export async function detectContentType(sample: Buffer): Promise<string> {
  return (await detectKnownType(sample)) ?? typeWithoutSignature(sample);
}

function typeWithoutSignature(sample: Buffer): string {
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
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: isTruncated });
    return !sample.some(isBinary);
  } catch {
    return false;
  }
}
