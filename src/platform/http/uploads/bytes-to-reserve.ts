import type { IncomingHttpHeaders } from 'node:http';

/** What boundaries and part headers add to the file in a form, rounded up. */
const FORM_BYTES = 1024;

/**
 * The space in bytes that an upload reserves when it begins: its Content-Length without the form around the file, or
 * the limit of the route if the length is unknown. So that a file which just fits is accepted, it may be slightly less
 * than the file has; the transaction that adds the record counts the file's exact size.
 */
export function bytesToReserve(headers: IncomingHttpHeaders, maxBytes: number): number {
  const length = headers['content-length'];
  if (length === undefined) return maxBytes;
  return Math.min(Math.max(Number(length) - FORM_BYTES, 1), maxBytes);
}
