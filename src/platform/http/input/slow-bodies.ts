import type { Request, RequestHandler } from 'express';

interface Bounds {
  /** Milliseconds for the body of a request that is no upload. */
  body: number;
  /** Milliseconds for the rest of a body that is answered already. */
  rest: number;
}

const BOUNDS: Bounds = { body: 60_000, rest: 10_000 };

/** Bodies that take as long as they take: what ends them is silence alone. */
const UPLOAD = /^(multipart\/form-data|application\/offset\+octet-stream)\b/i;

/**
 * Cuts connections whose request comes a byte at a time. Since uploads may take hours, the server itself knows no
 * bound for a whole request.
 */
export function boundSlowBodies(bounds = BOUNDS): RequestHandler {
  return (request, response, next) => {
    const isUpload = UPLOAD.test(request.headers['content-type'] ?? '');
    if (!isUpload) cutUnlessComplete(request, bounds.body);
    response.once('finish', () => cutUnlessComplete(request, bounds.rest));
    next();
  };
}

function cutUnlessComplete(request: Request, ms: number): void {
  if (request.complete || hasNoBody(request)) return;
  const timer = setTimeout(() => request.destroy(), ms).unref();
  request.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
}

const hasNoBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] === undefined && !Number(headers['content-length']);
