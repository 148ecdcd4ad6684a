import type { Request, RequestHandler } from 'express';

interface BodyTimeouts {
  /** For the body of a request that is not an upload. */
  bodyMs: number;
  /** For the rest of a body after the response has been sent. */
  restMs: number;
}

const TIMEOUTS: BodyTimeouts = { bodyMs: 60_000, restMs: 10_000 };

/** Uploads have no time limit; they end only when the connection is idle for too long. */
const UPLOAD = /^(multipart\/form-data|application\/offset\+octet-stream)\b/i;

/**
 * Closes connections that send a request body too slowly. The server itself cannot limit the duration of requests,
 * because uploads may take hours.
 */
export function limitBodyDuration(timeouts = TIMEOUTS): RequestHandler {
  return (request, response, next) => {
    const isUpload = UPLOAD.test(request.headers['content-type'] ?? '');
    if (!isUpload) closeUnlessComplete(request, timeouts.bodyMs);
    response.once('finish', () => closeUnlessComplete(request, timeouts.restMs));
    next();
  };
}

function closeUnlessComplete(request: Request, ms: number): void {
  if (request.complete || hasNoBody(request)) return;
  const timer = setTimeout(() => request.destroy(), ms).unref();
  request.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
}

const hasNoBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] === undefined && !Number(headers['content-length']);
