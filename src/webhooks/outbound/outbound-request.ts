import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';

/**
 * Milliseconds to connect to one address before the next one of the same host is tried. Node's default of
 * 250 ms is too short for distant servers.
 */
const CONNECT_TIMEOUT_MS = 2000;

export type OutboundMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface RequestOptions {
  method: OutboundMethod;
  headers: http.OutgoingHttpHeaders;
  lookup: LookupFunction;
  signal: AbortSignal;
}

/** Prepares a request on a new connection. Proxies and open connections are never used. */
export function openRequest(
  url: URL,
  { method, headers, lookup, signal }: RequestOptions,
): http.ClientRequest {
  const connection = { lookup, autoSelectFamilyAttemptTimeout: CONNECT_TIMEOUT_MS };
  const options = { method, headers, signal };
  return url.protocol === 'https:'
    ? https.request(url, { ...options, agent: new https.Agent({ ...connection, rejectUnauthorized: true }) })
    : http.request(url, { ...options, agent: new http.Agent(connection) });
}

/**
 * Sends the body and waits for the head of the response.
 * @throws OutboundError, or Node's error of the connection
 */
export function sendRequest(
  request: http.ClientRequest,
  body?: string | Buffer,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    // The listener stays after the response: a server may respond and close before it has read the whole
    // request.
    request.on('error', (error) => reject(hasCertificateError(request) ? certificateError() : error));
    // A 101 response to a request without an upgrade closes the connection without a response or an error.
    request.on('close', () => reject(new OutboundError('connection closed early')));
    request.end(body);
  });
}

const certificateError = () => new OutboundError('TLS certificate not valid');

/** Certificate errors have many codes; the socket says whether the error was one of them. */
function hasCertificateError({ socket }: http.ClientRequest): boolean {
  return Boolean((socket as Partial<TLSSocket> | null)?.authorizationError);
}

/** The first `maxBytes` bytes of a body. The rest is not read, and the stream is destroyed. */
export async function readBeginning(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/**
 * A body, or its beginning, as text that PostgreSQL can store: U+FFFD replaces invalid UTF-8, NUL is
 * dropped, and so is a character that was cut at the end.
 */
export function decodeBody(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '');
}

/** Why a request failed, in a phrase that may be shown to tenants: it names no addresses. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
}

const PHRASES = new Map(
  Object.entries({
    ECONNREFUSED: 'connection refused',
    ECONNRESET: 'connection closed early',
    EPIPE: 'connection closed early',
    EHOSTUNREACH: 'host unreachable',
    ENETUNREACH: 'host unreachable',
    EADDRNOTAVAIL: 'host unreachable',
    EHOSTDOWN: 'host unreachable',
    ETIMEDOUT: 'host unreachable',
    HPE_HEADER_OVERFLOW: 'response headers too large',
  }),
);

/**
 * A fixed phrase for the error of a failed request. Node's own messages are not shown, since they name
 * addresses.
 */
export function describeFailure(failure: unknown): string {
  if (failure instanceof OutboundError) return failure.message;
  const { code = '' } = failure as NodeJS.ErrnoException;
  if (code.startsWith('HPE_')) return PHRASES.get(code) ?? 'response is not HTTP';
  if (code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code)) return 'TLS handshake failed';
  return PHRASES.get(code) ?? 'connection failed';
}
