import { normalizeIp } from '@nestjs/throttler';
import type { Application, Request } from 'express';
import { isLoopback, parseIpAddress } from '../text/ip-address';

/**
 * The key of a client's address in counters. A port that a proxy has added is dropped, since each connection
 * has another. An IPv6 address is reduced to its /64 network, since one client may use all of it. If the
 * entry is not a valid IP address (such as `unknown`), the connecting peer's address is used, so that clients
 * cannot invent keys.
 */
export function clientAddress({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string {
  return normalizeIp(parseIpAddress(ip) ?? socket.remoteAddress ?? '');
}

/** Whether the proxy at `address` is trusted. Hop 0 is the connecting peer. */
export type TrustFunction = (address: string, hop: number) => boolean;

/** The function that Express has compiled from TRUST_PROXY. */
export function trustFunction(app: Pick<Application, 'get'>): TrustFunction {
  return app.get('trust proxy fn') as TrustFunction;
}

/** Headers that proxies add. */
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'via'];

/**
 * Whether a request comes from this machine. With a proxy on this machine, the client is known only if TRUST_PROXY names
 * the proxy: otherwise every request seems to come from loopback.
 */
export function isLoopbackClient(
  request: Pick<Request, 'ip' | 'socket' | 'headers'>,
  isTrusted: TrustFunction,
): boolean {
  if (!isLoopback(clientAddress(request))) return false;
  const isForwarded = PROXY_HEADERS.some((name) => request.headers[name] !== undefined);
  return !isForwarded || isTrusted(request.socket.remoteAddress ?? '', 0);
}
