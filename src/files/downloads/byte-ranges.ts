import type { ByteRange } from '../../platform/storage/storage';

/** The content of a response: its size in bytes, its strong entity tag and its date. */
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

export type RangeResponse =
  { status: 200 } | { status: 206; range: ByteRange } | { status: 304 } | { status: 412 } | { status: 416 };

/**
 * Evaluates the conditions and the range of a GET request (RFC 9110, 13.2.2 and 14.2). A Range header with several
 * ranges, another unit or a malformed value is ignored, as the RFC allows, so the whole content is sent.
 */
export function rangeResponse(headers: ConditionalHeaders, content: Representation): RangeResponse {
  if (failsPrecondition(headers, content)) return { status: 412 };
  if (isNotModified(headers, content)) return { status: 304 };
  if (headers.range === undefined || !matchesIfRange(headers['if-range'], content)) return { status: 200 };
  const range = singleRange(headers.range, content.size);
  if (!range) return { status: 200 };
  return range.start < content.size && range.start <= range.end ? { status: 206, range } : { status: 416 };
}

/** The range of a Range header, of a content of `size` bytes; undefined for a header that is ignored. */
function singleRange(header: string, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header) ?? [];
  if (first === '' && last === '') return undefined;
  // A suffix range: the last bytes, or all of them when there are fewer.
  if (first === '') return { start: Math.max(size - Number(last), 0), end: size - 1 };
  if (last !== '' && Number(last) < Number(first)) return undefined;
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/** If-Match (strong comparison), or else If-Unmodified-Since. */
function failsPrecondition(headers: ConditionalHeaders, { etag, last_modified }: Representation): boolean {
  const accepted = headers['if-match'];
  if (accepted !== undefined) return accepted.trim() !== '*' && !parseEntityTags(accepted).includes(etag);
  const since = headers['if-unmodified-since'];
  return since !== undefined && wholeSeconds(last_modified) > Date.parse(since);
}

/** If-None-Match (weak comparison), or else If-Modified-Since. */
function isNotModified(headers: ConditionalHeaders, { etag, last_modified }: Representation): boolean {
  const cached = headers['if-none-match'];
  if (cached !== undefined) {
    return cached.trim() === '*' || parseEntityTags(cached).some((tag) => tag.replace(/^W\//, '') === etag);
  }
  const since = headers['if-modified-since'];
  return since !== undefined && wholeSeconds(last_modified) <= Date.parse(since);
}

/** If-Range: an entity tag (strong comparison) or exactly the same date. */
function matchesIfRange(validator: string | undefined, { etag, last_modified }: Representation): boolean {
  if (validator === undefined || validator === etag) return true;
  return !validator.includes('"') && Date.parse(validator) === wholeSeconds(last_modified);
}

const parseEntityTags = (list: string): string[] => list.split(',').map((tag) => tag.trim());

/** Dates in HTTP headers have no fractions of a second. */
const wholeSeconds = (date: Date): number => Math.floor(date.getTime() / 1000) * 1000;
