import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { parseIpAddress } from '../text/ip-address';
import { requestContext } from '../logging/request-context';

declare global {
  namespace Express {
    interface Request {
      /** Names the request in logs and answers. */
      request_id: string;
    }
  }
}

const SANE = /^[\w.:-]{1,128}$/;

/** Takes over the caller's X-Request-Id if it is harmless, else makes one; sends it back, and logs carry it. */
export function identifyRequest(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  request.request_id = typeof given === 'string' && SANE.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', request.request_id);
  requestContext.run({ request_id: request.request_id, address: parseIpAddress(request.ip) }, next);
}
