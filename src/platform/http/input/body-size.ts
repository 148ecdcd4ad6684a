import { PayloadTooLargeException } from '@nestjs/common';
import type { RequestHandler } from 'express';

/**
 * Answers a body of more than `maxBytes` at once with 413: by its Content-Length before any of it is read, otherwise when
 * so much has arrived. The parser itself would answer after the client has sent all of it. The rest is read and discarded
 * for a while (limitBodyDuration): many clients read the response only after they have sent the body.
 * @param parse a body parser with the same limit, which it applies to the decompressed body
 * @param type the media type that it reads; bodies of other types are left to it
 */
export function limitBodySize(parse: RequestHandler, type: string, maxBytes: number): RequestHandler {
  return (request, response, next) => {
    if (!request.is(type)) {
      parse(request, response, next);
      return;
    }
    let isDecided = false;
    const decide = (error?: unknown) => {
      if (isDecided) return;
      isDecided = true;
      request.off('data', count);
      if (error) next(error);
      else next();
    };
    const reject = () => decide(new PayloadTooLargeException());
    let receivedBytes = 0;
    const count = (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes > maxBytes) reject();
    };
    if (Number(request.headers['content-length']) > maxBytes) {
      reject();
      return;
    }
    // Before the parser listens, which would reject the same chunk first, but wait for the end of the body.
    request.on('data', count);
    parse(request, response, decide);
  };
}
