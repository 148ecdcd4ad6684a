import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { OutboundFailure } from './outbound-failure';

/** In ms, for one address while there are others: Node's own 250 are too few for the other side of the world. */
const CONNECT_MS = 2000;

/** A request that is ready to go, on a connection of its own: neither proxies nor open connections are used. */
export function openRequest(
  url: URL,
  headers: http.OutgoingHttpHeaders,
  lookup: LookupFunction,
  signal: AbortSignal,
): http.ClientRequest {
  const connection = { lookup, autoSelectFamilyAttemptTimeout: CONNECT_MS };
  const options = { method: 'POST', headers, signal };
  return url.protocol === 'https:'
    ? https.request(url, { ...options, agent: new https.Agent({ ...connection, rejectUnauthorized: true }) })
    : http.request(url, { ...options, agent: new http.Agent(connection) });
}

/** Sends the body and waits for the head of the answer. @throws what Node says, or OutboundFailure */
export function answerTo(request: http.ClientRequest, body: string): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    // Stays until the end: a server may answer and hang up before it has read everything, and then its answer counts.
    request.on('error', (failure) => reject(isUntrusted(request) ? untrusted() : failure));
    // After an answer that asks to change the protocol there is neither an answer nor an error.
    request.on('close', () => reject(new OutboundFailure('connection broke off')));
    request.end(body);
  });
}

const untrusted = () => new OutboundFailure('TLS certificate not valid');

/** Codes of certificate errors are many; whether it was one, the socket knows. */
function isUntrusted({ socket }: http.ClientRequest): boolean {
  return Boolean((socket as Partial<TLSSocket> | null)?.authorizationError);
}
