import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { applyDecorators, Logger } from '@nestjs/common';
import { ApiOkResponse, ApiResponse } from '@nestjs/swagger';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import {
  type ByteRange,
  type Storage,
  ObjectNotFoundError,
  RangeIgnoredError,
} from '../../platform/storage/storage';
import { ApiError } from '../../platform/http/errors/api-error';
import { ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import { type RangeResponse, rangeResponse } from './byte-ranges';

/** A stored object and the metadata with which it is sent. */
export interface Download {
  key: string;
  /** Bytes. */
  size: number;
  /** Lower-case hex. */
  sha256: string;
  content_type: string;
  /** Whether the type is only declared by the client who uploaded the object. */
  is_type_declared: boolean;
  last_modified: Date;
  filename: string;
  /** Whether the browser is to save it, also if it could display it. */
  is_attachment?: boolean;
}

/** Response headers that CORS must expose to scripts of other origins. */
export const DOWNLOAD_HEADERS = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Repr-Digest',
] as const;

/** Types that a browser may display: they cannot contain scripts or links. All others are sent as attachments. */
const INLINE_TYPES = /^(audio|video)\/|^image\/(png|jpeg|gif|webp|avif|bmp)$/;

/** Types that a browser may run or render, for example if a user opens a downloaded file. */
const ACTIVE_TYPES = /html|xml|svg|script|css|pdf|shockwave/;

/** Error codes of a stream whose client has disconnected, which players do all the time. */
export const DISCONNECT_CODES = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'];

/**
 * Streams an object, or the requested range of it, from the storage (RFC 9110: ranges, conditions, HEAD). When the
 * client disconnects, the stream is closed. A storage that ignores ranges sends the whole object, as RFC 9110 allows.
 * @param record runs before content is sent, in full or in part; not for HEAD, nor for what the client has already
 * @throws 404 when the object is not in the storage, 412, 416 with the size in Content-Range, 503
 */
export async function sendObject(
  request: Request,
  response: Response,
  storage: Storage,
  object: Download,
  record: (extent: 'whole' | 'part') => Promise<void>,
): Promise<void> {
  const isHead = request.method === 'HEAD';
  // Range is defined for GET only (RFC 9110, 14.2).
  const headers = isHead ? { ...request.headers, range: undefined } : request.headers;
  const result = rangeResponse(headers, { ...object, etag: etagOf(object) });
  throwIfRejected(result, response, object);
  const whole = { start: 0, end: object.size - 1 };
  const range = result.status === 206 ? result.range : whole;
  const hasBody = result.status !== 304 && !isHead && object.size > 0;
  if (hasBody) await record(result.status === 206 ? 'part' : 'whole');
  // Opened before headers are set: an error response must not have the headers of the object.
  const content = hasBody ? await openRange(storage, object.key, range, whole) : undefined;
  const sent = content?.range ?? range;
  const status = result.status === 206 && sent === whole ? 200 : result.status;
  response.status(status).set(validators(object));
  if (status !== 304) response.set(representation(object, sent));
  if (status === 206) response.set('Content-Range', `bytes ${sent.start}-${sent.end}/${object.size}`);
  if (content) await sendContent(content.stream, response);
  else response.end();
}

/**
 * Documents the responses of sendObject.
 * @param mediaTypes or ranges of them, such as `video/*`, that the content can have
 */
export function ApiDownload(description: string, ...mediaTypes: string[]): MethodDecorator {
  const binary = { schema: { type: 'string', format: 'binary' } } as const;
  const content = Object.fromEntries(mediaTypes.map((type) => [type, binary]));
  return applyDecorators(
    ApiOkResponse({ description, content }),
    ApiResponse({ status: 206, description: 'Partial content: the bytes that Range requests', content }),
    ApiResponse({ status: 304, description: 'Not modified: If-None-Match names the current content' }),
    ApiFailure(412, 'The content does not match If-Match', 'precondition_failed'),
    ApiFailure(416, 'The requested bytes do not exist', 'range_not_satisfiable'),
  );
}

function throwIfRejected({ status }: RangeResponse, response: Response, { size }: Download): void {
  if (status === 412) {
    throw new ApiError(
      412,
      'precondition_failed',
      'The content does not match the condition of the request.',
    );
  }
  if (status !== 416) return;
  response.set('Content-Range', `bytes */${size}`);
  throw new ApiError(416, 'range_not_satisfiable', `The content has only ${size} bytes.`);
}

/** @returns the content with the bytes that it has: all of them where the storage cannot send the range */
async function openRange(storage: Storage, key: string, range: ByteRange, whole: ByteRange) {
  try {
    return { range, stream: await openContent(storage, key, range) };
  } catch (error) {
    if (range === whole || !(error instanceof RangeIgnoredError)) throw error;
    return { range: whole, stream: await openContent(storage, key, whole) };
  }
}

async function openContent(storage: Storage, key: string, range: ByteRange): Promise<Readable> {
  try {
    return await storage.read(key, range);
  } catch (error) {
    // The client gets a 404; the operator must learn that an object is missing.
    if (error instanceof ObjectNotFoundError) new Logger('Storage').error(error);
    throw error;
  }
}

const etagOf = ({ sha256 }: Download): string => `"${sha256}"`;

const validators = (object: Download) => ({
  'Accept-Ranges': 'bytes',
  'Cache-Control': 'no-store',
  ETag: etagOf(object),
  'Last-Modified': object.last_modified.toUTCString(),
});

const representation = (object: Download, { start, end }: ByteRange) => ({
  'Content-Type': safeTypeOf(object),
  'Content-Length': String(end - start + 1),
  'Content-Disposition': contentDisposition(object.filename, {
    type:
      !object.is_attachment && !object.is_type_declared && INLINE_TYPES.test(object.content_type)
        ? 'inline'
        : 'attachment',
  }),
  // A second protection, should a browser display the content as a page.
  'Content-Security-Policy': "default-src 'none'; sandbox",
  // RFC 9530: the digest of the whole content, also for a range.
  'Repr-Digest': `sha-256=:${Buffer.from(object.sha256, 'hex').toString('base64')}:`,
});

/** A declared type is only sent if it is harmless. Helmet sets X-Content-Type-Options: nosniff for every response. */
const safeTypeOf = ({ content_type, is_type_declared }: Download): string =>
  is_type_declared && ACTIVE_TYPES.test(content_type) ? 'application/octet-stream' : content_type;

async function sendContent(content: Readable, response: Response): Promise<void> {
  try {
    await pipeline(content, response);
  } catch (error) {
    content.destroy();
    if (!DISCONNECT_CODES.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
