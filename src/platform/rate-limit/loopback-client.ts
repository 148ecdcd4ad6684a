import { BlockList } from 'node:net';
import type { Request } from 'express';
import { clientAddress } from './client-address';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Headers that proxies add. */
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'via'];

/**
 * Whether a request comes from this machine. With a proxy on this machine, the client is known only if the proxy is
 * trusted: without TRUST_PROXY every request seems to come from loopback.
 */
export function isLoopbackClient(
  request: Pick<Request, 'ip' | 'socket' | 'headers'>,
  trustsProxies: boolean,
): boolean {
  const address = clientAddress(request);
  if (!LOOPBACK.check(address, address.includes(':') ? 'ipv6' : 'ipv4')) return false;
  return trustsProxies || PROXY_HEADERS.every((name) => request.headers[name] === undefined);
}
