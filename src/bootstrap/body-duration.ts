import type { Request, RequestHandler } from 'express';

interface BodyTimeouts {
  /** For the body of a request that is not an upload. */
  bodyMs: number;
  /** For the rest of a body after the response has been sent. */
  restMs: number;
  /** How often the progress of a multipart upload is checked. */
  progressMs: number;
  /** What it must have received since the last check. */
  minProgressBytes: number;
}

const TIMEOUTS: BodyTimeouts = {
  bodyMs: 60_000,
  restMs: 10_000,
  progressMs: 300_000,
  minProgressBytes: 256 * 1024,
};

/** A form may take hours, but must make progress. */
const MULTIPART = /^multipart\/form-data\b/i;
/** A resumable upload may pause: what it received is already stored, and a live recording may be silent. */
const RESUMABLE = /^application\/offset\+octet-stream\b/i;

/**
 * Closes connections that send a request body too slowly. The server itself cannot limit the duration of requests,
 * because uploads may take hours: multipart uploads must make progress, resumable ones have only the idle timeout.
 */
export function limitBodyDuration(timeouts = TIMEOUTS): RequestHandler {
  return (request, response, next) => {
    if (hasNoBody(request)) return next();
    const type = request.headers['content-type'] ?? '';
    if (MULTIPART.test(type)) closeUnlessProgressing(request, timeouts);
    else if (!RESUMABLE.test(type)) closeUnlessComplete(request, timeouts.bodyMs);
    response.once('finish', () => closeUnlessComplete(request, timeouts.restMs));
    next();
  };
}

function closeUnlessComplete(request: Request, ms: number): void {
  if (request.complete) return;
  stopAtEnd(
    request,
    setTimeout(() => request.destroy(), ms),
  );
}

/** The idle timeout of the connection does not end an upload that sends a byte now and then. */
function closeUnlessProgressing(request: Request, { progressMs, minProgressBytes }: BodyTimeouts): void {
  const { socket } = request;
  let checkedBytes = socket.bytesRead;
  const check = () => {
    if (request.complete) return;
    if (socket.bytesRead - checkedBytes < minProgressBytes) request.destroy();
    checkedBytes = socket.bytesRead;
  };
  stopAtEnd(request, setInterval(check, progressMs));
}

function stopAtEnd(request: Request, timer: NodeJS.Timeout): void {
  timer.unref();
  request.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
}

const hasNoBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] === undefined && !Number(headers['content-length']);
