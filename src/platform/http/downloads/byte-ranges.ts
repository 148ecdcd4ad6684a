import type { ByteRange } from '../../storage/storage';

/** What is to be sent: its size in bytes, a strong entity tag, and when it came to be. */
export interface Representation {
  size: number;
  etag: string;
  last_modified: Date;
}

export interface ConditionalHeaders {
  range?: string;
  'if-range'?: string;
  'if-match'?: string;
  'if-none-match'?: string;
  'if-modified-since'?: string;
  'if-unmodified-since'?: string;
}

export type RangeAnswer =
  { status: 200 } | { status: 206; range: ByteRange } | { status: 304 } | { status: 412 } | { status: 416 };

/**
 * How a GET for `content` is to be answered (RFC 9110, 13.2.2 and 14.2). Several ranges at once are answered with
 * the whole, as is allowed; so are ranges of a kind or form that we do not know.
 */
export function rangeAnswer(headers: ConditionalHeaders, content: Representation): RangeAnswer {
  if (isAnother(headers, content)) return { status: 412 };
  if (isKnown(headers, content)) return { status: 304 };
  if (headers.range === undefined || !isSameAs(headers['if-range'], content)) return { status: 200 };
  const range = onlyRange(headers.range, content.size);
  if (!range) return { status: 200 };
  return range.start < content.size && range.start <= range.end ? { status: 206, range } : { status: 416 };
}

/** What the header asks for of `size` bytes. Nothing where it asks for several ranges, or is malformed. */
function onlyRange(header: string, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header) ?? [];
  if (first === '' && last === '') return undefined;
  // The last bytes; all of them where there are fewer.
  if (first === '') return { start: Math.max(size - Number(last), 0), end: size - 1 };
  if (last !== '' && Number(last) < Number(first)) return undefined;
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/** Whether the client wants another content than there is: a strong comparison. */
function isAnother(headers: ConditionalHeaders, { etag, last_modified }: Representation): boolean {
  const wanted = headers['if-match'];
  if (wanted !== undefined) return wanted.trim() !== '*' && !tagsOf(wanted).includes(etag);
  const since = headers['if-unmodified-since'];
  return since !== undefined && wholeSeconds(last_modified) > Date.parse(since);
}

/** Whether the client has it already: a weak comparison. */
function isKnown(headers: ConditionalHeaders, { etag, last_modified }: Representation): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) {
    return known.trim() === '*' || tagsOf(known).some((tag) => tag.replace(/^W\//, '') === etag);
  }
  const since = headers['if-modified-since'];
  return since !== undefined && wholeSeconds(last_modified) <= Date.parse(since);
}

/** Whether the client's part is of what there is now: a strong comparison, or exactly the same date. */
function isSameAs(validator: string | undefined, { etag, last_modified }: Representation): boolean {
  if (validator === undefined || validator === etag) return true;
  return !validator.includes('"') && Date.parse(validator) === wholeSeconds(last_modified);
}

const tagsOf = (list: string): string[] => list.split(',').map((tag) => tag.trim());

/** HTTP's dates have no fractions. */
const wholeSeconds = (date: Date): number => Math.floor(date.getTime() / 1000) * 1000;
