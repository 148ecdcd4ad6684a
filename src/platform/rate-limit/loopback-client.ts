import { BlockList } from 'node:net';
import type { Request } from 'express';
import { clientAddress } from './client-address';
import type { TrustFunction } from './trust-function';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

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
  const address = clientAddress(request);
  if (!LOOPBACK.check(address, address.includes(':') ? 'ipv6' : 'ipv4')) return false;
  const isForwarded = PROXY_HEADERS.some((name) => request.headers[name] !== undefined);
  return !isForwarded || isTrusted(request.socket.remoteAddress ?? '', 0);
}
