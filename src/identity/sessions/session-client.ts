import type { Request } from 'express';
import { bareAddress } from '../../platform/http/input/bare-address';

/** The device that logs in, as the user's list of sessions shows it. */
export interface SessionClient {
  address: string | null;
  user_agent: string | null;
}

export function sessionClientOf(request: Request): SessionClient {
  return { address: bareAddress(request.ip), user_agent: request.headers['user-agent'] ?? null };
}
