import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { OutboundError } from './outbound-error';

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
