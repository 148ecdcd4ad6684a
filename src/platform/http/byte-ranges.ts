import parseRange from 'range-parser';
import type { ByteRange } from '../storage/storage';

/** What is to be sent: its size in bytes, a strong entity tag, and when it came to be. */
export interface Representation {
  size: number;
  etag: string;
  last_modified: Date;
}

export interface ConditionalHeaders {
  range?: string;
  'if-range'?: string;
  'if-none-match'?: string;
  'if-modified-since'?: string;
}

export type RangeAnswer =
  { status: 200 } | { status: 206; range: ByteRange } | { status: 304 } | { status: 416 };

/**
 * How a GET or HEAD for `content` is to be answered (RFC 9110, 13.2.2 and 14.2). Several ranges at once are
 * answered with the whole, as is allowed; so are ranges of a kind or form that we do not know.
 */
export function rangeAnswer(headers: ConditionalHeaders, content: Representation): RangeAnswer {
  if (isKnown(headers, content)) return { status: 304 };
  if (headers.range === undefined || !isSameAs(headers['if-range'], content)) return { status: 200 };
  const ranges = parseRange(content.size, headers.range, { combine: true });
  if (ranges === -1) return { status: 416 };
  const only = ranges !== -2 && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined;
  return only ? { status: 206, range: { start: only.start, end: only.end } } : { status: 200 };
}

function isKnown(headers: ConditionalHeaders, { etag, last_modified }: Representation): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) return known === '*' || known.split(/\s*,\s*/).some((tag) => weak(tag) === etag);
  const since = headers['if-modified-since'];
  return since !== undefined && wholeSeconds(last_modified) <= Date.parse(since);
}

/** Whether the client's part is of what there is now: a strong comparison, or exactly the same date. */
function isSameAs(validator: string | undefined, { etag, last_modified }: Representation): boolean {
  if (validator === undefined || validator === etag) return true;
  return !validator.includes('"') && Date.parse(validator) === wholeSeconds(last_modified);
}

const weak = (tag: string): string => tag.trim().replace(/^W\//, '');

/** HTTP's dates have no fractions. */
const wholeSeconds = (date: Date): number => Math.floor(date.getTime() / 1000) * 1000;
