import { isIP } from 'node:net';
import { normalizeIp } from '@nestjs/throttler';
import type { Request } from 'express';

const IPV4_WITH_PORT = /^([\d.]+):\d+$/;
const IN_BRACKETS = /^\[([^\]]+)\](?::\d+)?$/;

/**
 * The client's address as counters know it. Some proxies add the port, and a new connection has a new one;
 * of an IPv6 address the network of 64 bits counts, since a client may have all of it. What is no address
 * at all (`unknown`, say) counts for the peer that sent it, so that inventing names buys nothing.
 */
export function clientAddress({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string {
  const bare = IPV4_WITH_PORT.exec(ip)?.[1] ?? IN_BRACKETS.exec(ip)?.[1] ?? ip;
  return normalizeIp(isIP(bare) > 0 ? bare : (socket.remoteAddress ?? ''));
}
