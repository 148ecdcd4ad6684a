import { PassThrough, Readable } from 'node:stream';
import type { Server } from '@tus/server';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';

type WebRequest = Parameters<Server['handleWeb']>[0];

/** Not copied: CORS headers are set in one place for all routes. */
const CORS_HEADERS = /^access-control-/;

/** Converts an Express request to the Fetch request that @tus/server takes. @param body the request's content */
export function toWebRequest(request: ExpressRequest, body: PassThrough, method: string): WebRequest {
  const { headers, originalUrl } = request;
  const init = { method, headers: headersOf(headers) };
  const stream = { body: Readable.toWeb(body) as ReadableStream, duplex: 'half' as const };
  const web = new Request(new URL(originalUrl, 'http://localhost'), {
    ...init,
    ...(method === 'POST' || method === 'PATCH' ? stream : {}),
  });
  // @tus/server reads the connection from here, to notice that it was closed.
  return Object.assign(web, { runtime: { name: 'node', node: { req: request } } });
}

function headersOf(headers: ExpressRequest['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
}

/** Sends the headers of a Fetch response with a status; those of @tus/server have no body to keep. */
export function sendWebResponse(source: Response, response: ExpressResponse, status: number): void {
  for (const [name, value] of source.headers) if (!CORS_HEADERS.test(name)) response.setHeader(name, value);
  response.status(status).end();
}
