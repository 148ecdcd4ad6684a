import { PassThrough, Readable } from 'node:stream';
import type { Server } from '@tus/server';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';

type WebRequest = Parameters<Server['handleWeb']>[0];

/** CORS is decided in one place for all routes, and failures have a shape of our own. */
const NOT_OURS = /^access-control-/;

/** The request as @tus/server takes it; ends with what has come when the client goes away. */
export function toWebRequest(request: ExpressRequest, body: PassThrough): WebRequest {
  const { method, headers, originalUrl } = request;
  const init = { method, headers: headersOf(headers) };
  const stream = { body: Readable.toWeb(body) as ReadableStream, duplex: 'half' as const };
  const web = new Request(new URL(originalUrl, 'http://localhost'), {
    ...init,
    ...(method === 'POST' || method === 'PATCH' ? stream : {}),
  });
  // Where the library looks for the connection, to see it break.
  return Object.assign(web, { runtime: { name: 'node', node: { req: request } } });
}

function headersOf(headers: ExpressRequest['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
}

export function sendWebResponse(answer: Response, response: ExpressResponse): void {
  for (const [name, value] of answer.headers) if (!NOT_OURS.test(name)) response.setHeader(name, value);
  response.status(answer.status).end();
}
