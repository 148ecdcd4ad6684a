import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { applyDecorators, Logger } from '@nestjs/common';
import { ApiOkResponse, ApiResponse } from '@nestjs/swagger';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import { type ByteRange, type Storage, StorageMissing } from '../../storage/storage';
import { ApiError } from '../errors/api-error';
import { type RangeAnswer, rangeAnswer } from './byte-ranges';
import { ApiFailure } from '../openapi/openapi.decorators';

/** A stored object as it goes out. */
export interface Download {
  key: string;
  /** Bytes. */
  size: number;
  /** Lower-case hex. */
  sha256: string;
  content_type: string;
  last_modified: Date;
  filename: string;
}

/** What scripts of other origins may read of an answer. */
export const DOWNLOAD_HEADERS = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Repr-Digest',
] as const;

/** What a browser may show by itself: nothing that can hold a script or a link. Everything else is for saving. */
const INERT = /^(audio|video)\/|^image\/(png|jpeg|gif|webp|avif|bmp)$/;

/** How it shows that the client has hung up, while or before it is sent to: players do so all the time. */
export const HUNG_UP = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'];

/**
 * Sends an object, or the part of it that was asked for, as it comes from the storage (RFC 9110: Range, conditions,
 * HEAD). A client that goes away frees what was opened for it.
 * @throws 404 when it is not in the storage, 412, 416 with the size in Content-Range, 503
 */
export async function sendObject(
  request: Request,
  response: Response,
  storage: Storage,
  object: Download,
): Promise<void> {
  const isHead = request.method === 'HEAD';
  // Ranges are defined for GET alone (RFC 9110, 14.2).
  const headers = isHead ? { ...request.headers, range: undefined } : request.headers;
  const answer = rangeAnswer(headers, { ...object, etag: etagOf(object) });
  refuse(answer, response, object);
  const range = answer.status === 206 ? answer.range : { start: 0, end: object.size - 1 };
  const hasBody = answer.status !== 304 && !isHead && object.size > 0;
  // Opened before anything is said: what is not there has no ETag.
  const content = hasBody ? await open(storage, object.key, range) : undefined;
  response.status(answer.status).set(validators(object));
  if (answer.status !== 304) response.set(representation(object, range));
  if (answer.status === 206) {
    response.set('Content-Range', `bytes ${range.start}-${range.end}/${object.size}`);
  }
  if (content) await pour(content, response);
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

function refuse({ status }: RangeAnswer, response: Response, { size }: Download): void {
  if (status === 412) {
    throw new ApiError(412, 'precondition_failed', 'The content is not the one that was asked for.');
  }
  if (status !== 416) return;
  response.set('Content-Range', `bytes */${size}`);
  throw new ApiError(416, 'range_not_satisfiable', `There are only ${size} bytes.`);
}

async function open(storage: Storage, key: string, range: ByteRange): Promise<Readable> {
  try {
    return await storage.read(key, range);
  } catch (error) {
    // To the client it is only gone; the operator has to learn that it should not be.
    if (error instanceof StorageMissing) new Logger('Storage').error(error);
    throw error;
  }
}

const etagOf = ({ sha256 }: Download): string => `"${sha256}"`;

const validators = (object: Download) => ({
  'Accept-Ranges': 'bytes',
  'Cache-Control': 'private, no-cache',
  ETag: etagOf(object),
  'Last-Modified': object.last_modified.toUTCString(),
});

const representation = ({ content_type, filename, sha256 }: Download, { start, end }: ByteRange) => ({
  'Content-Type': content_type,
  'Content-Length': String(end - start + 1),
  'Content-Disposition': contentDisposition(filename, {
    type: INERT.test(content_type) ? 'inline' : 'attachment',
  }),
  // Even were it shown as a page, it could do nothing.
  'Content-Security-Policy': "default-src 'none'; sandbox",
  // RFC 9530: of the whole, whatever part is sent.
  'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
});

async function pour(content: Readable, response: Response): Promise<void> {
  try {
    await pipeline(content, response);
  } catch (error) {
    content.destroy();
    if (!HUNG_UP.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
