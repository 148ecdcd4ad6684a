import { normalizeIp } from '@nestjs/throttler';
import type { Request } from 'express';
import { parseIpAddress } from '../text/ip-address';

/**
 * The client's address as counters know it. Some proxies add the port, and a new connection has a new one;
 * of an IPv6 address the network of 64 bits counts, since a client may have all of it. What is no address
 * at all (`unknown`, say) counts for the peer that sent it, so that inventing names buys nothing.
 */
export function clientAddress({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string {
  return normalizeIp(parseIpAddress(ip) ?? socket.remoteAddress ?? '');
}
