import { BlockList, isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Headers that proxies add. */
const PROXY_HEADER =
  /^(forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|x-cluster-client-ip|x-envoy-.*|cf-.*|true-client-ip|fastly-.*)$/;

interface LocalRequest extends Pick<IncomingMessage, 'headers' | 'httpVersion'> {
  socket: Pick<IncomingMessage['socket'], 'remoteAddress' | 'localPort'>;
}

/**
 * Whether a request was sent by a program on this machine, and not by a proxy on it for a client elsewhere. Neither
 * TRUST_PROXY nor the client's address by X-Forwarded-For counts, because a client can choose what it sends to a proxy.
 * A proxy shows by a header that it adds, by the `Host` of its client or its own, or by HTTP/1.0, which nginx speaks to
 * services by default. A proxy that does none of these looks like a local program.
 */
export function isLocalRequest({ headers, httpVersion, socket }: LocalRequest): boolean {
  if (httpVersion !== '1.1' || !isLoopback(socket.remoteAddress ?? '')) return false;
  if (Object.keys(headers).some((name) => PROXY_HEADER.test(name))) return false;
  const host = URL.parse(`http://${headers.host ?? ''}`);
  if (!host || Number(host.port || 80) !== socket.localPort) return false;
  const name = host.hostname.replace(/^\[|\]$/g, '');
  return name === 'localhost' || isLoopback(name);
}

/** Also for IPv4 addresses as IPv6 sockets have them (`::ffff:127.0.0.1`). */
function isLoopback(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && LOOPBACK.check(address, version === 4 ? 'ipv4' : 'ipv6');
}
