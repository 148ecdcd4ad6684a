import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { ClientLeftError } from '../platform/database/connections/semaphore';
import { parseIpAddress } from '../platform/text/ip-address';
import { requestContext } from '../platform/logging/request-context';

declare global {
  namespace Express {
    interface Request {
      /** Identifies the request in logs and responses. */
      request_id: string;
      /** `ip`, which Express derives from the headers each time it is read. */
      client_ip: string | undefined;
      /** Of the span that records the request, if traces are on. */
      trace_id?: string;
    }
  }
}

const SAFE_ID = /^[\w.:-]{1,128}$/;

/** Sets the request's address and its id in the response and in log lines: the client's X-Request-Id if it is safe, else a new one. */
export function identifyRequest(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  request.request_id = typeof given === 'string' && SAFE_ID.test(given) ? given : randomUUID();
  request.client_ip = request.ip;
  response.setHeader('X-Request-Id', request.request_id);
  const client = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) client.abort(new ClientLeftError('The client has left.'));
  });
  const address = parseIpAddress(request.client_ip);
  requestContext.run({ request_id: request.request_id, address, signal: client.signal }, next);
}
