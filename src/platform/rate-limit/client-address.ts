import { normalizeIp } from '@nestjs/throttler';
import type { Request } from 'express';
import { parseIpAddress } from '../text/ip-address';

/**
 * The key of a client's address in counters. A port that a proxy has added is dropped, since each connection
 * has another. An IPv6 address is reduced to its /64 network, since one client may use all of it. If the
 * entry is not a valid IP address (such as `unknown`), the connecting peer's address is used, so that clients
 * cannot invent keys.
 */
export function clientAddress({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string {
  return normalizeIp(parseIpAddress(ip) ?? socket.remoteAddress ?? '');
}
