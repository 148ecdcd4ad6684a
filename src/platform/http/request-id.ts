import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const SANE = /^[\w.:-]{1,128}$/;

/** Takes over the caller's X-Request-Id if it is harmless, else makes one, and sends it back. */
export function requestId(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && SANE.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', id);
  return id;
}
