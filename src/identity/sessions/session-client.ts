import type { Request } from 'express';
import { clientAddress } from '../../platform/rate-limit/client-address';
import { parseIpAddress } from '../../platform/text/ip-address';

/** The device that logs in. Address and user agent are shown in the user's list of sessions. */
export interface SessionClient {
  address: string | null;
  /** The address as rate limits count it: an IPv6 address is reduced to its network. */
  counted_address: string;
  user_agent: string | null;
}

export function sessionClientOf(request: Request): SessionClient {
  return {
    address: parseIpAddress(request.ip),
    counted_address: clientAddress(request),
    user_agent: request.headers['user-agent'] ?? null,
  };
}
