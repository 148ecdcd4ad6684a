import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../platform/text/ip-address';

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
