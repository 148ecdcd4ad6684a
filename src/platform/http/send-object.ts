import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import type { Storage } from '../storage/storage';
import { ApiError } from './api-error';
import { rangeAnswer } from './byte-ranges';

/** A stored object as it goes out. */
export interface Download {
  key: string;
  size: number;
  /** Lower-case hex. */
  sha256: string;
  content_type: string;
  last_modified: Date;
  filename: string;
}

/** What a browser may show by itself: nothing that can hold a script or a link. Everything else is for saving. */
const INERT = /^(audio|video)\/|^image\/(png|jpeg|gif|webp|avif|bmp)$/;

/**
 * Sends an object, or the part of it that was asked for, as it comes from the storage (RFC 9110: Range, If-Range,
 * If-None-Match, HEAD). A client that goes away frees what was opened for it.
 * @throws 416, with the size in Content-Range
 */
export async function sendObject(
  request: Request,
  response: Response,
  storage: Storage,
  object: Download,
): Promise<void> {
  const etag = `"${object.sha256}"`;
  const answer = rangeAnswer(request.headers, { ...object, etag });
  response.set({
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    // Even were it shown as a page, it could do nothing.
    'Content-Security-Policy': "default-src 'none'; sandbox",
    ETag: etag,
    'Last-Modified': object.last_modified.toUTCString(),
  });
  if (answer.status === 304) {
    response.status(304).end();
    return;
  }
  if (answer.status === 416) {
    response.set('Content-Range', `bytes */${object.size}`);
    throw new ApiError(416, 'range_not_satisfiable', `There are only ${object.size} bytes.`);
  }
  const { start, end } = answer.status === 206 ? answer.range : { start: 0, end: object.size - 1 };
  const content =
    request.method === 'HEAD' || object.size === 0
      ? undefined
      : await storage.read(object.key, answer.status === 206 ? answer.range : undefined);
  if (answer.status === 206) response.set('Content-Range', `bytes ${start}-${end}/${object.size}`);
  response.status(answer.status).set({
    'Content-Type': object.content_type,
    'Content-Length': String(end - start + 1),
    'Content-Disposition': contentDisposition(object.filename, {
      type: INERT.test(object.content_type) ? 'inline' : 'attachment',
    }),
    // RFC 9530: of the whole, whatever part is sent.
    'Repr-Digest': `sha-256=:${Buffer.from(object.sha256, 'hex').toString('base64')}:`,
  });
  if (content) await pipeline(content, response).catch(ignoreGone(response));
  else response.end();
}

/** Who has seen enough hangs up: players do so all the time. */
function ignoreGone(response: Response): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE' || !response.destroyed) throw error;
  };
}
