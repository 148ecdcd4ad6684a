import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/**
 * Which allowance a route draws on. `auth`: per client address and account, or route where the body names
 * no account, and per client address. `public`, `gateway`, `asset` (public pictures): per client address.
 * `api`: per user, and per client address for requests that are refused a user; the default of routes that
 * demand a token. `none`: the operator's own routes.
 */
export type RateLimitPolicy = 'auth' | 'public' | 'gateway' | 'asset' | 'api' | 'none';

export const RATE_LIMIT = Symbol('RATE_LIMIT');

export const RateLimit = (policy: RateLimitPolicy) =>
  applyDecorators(SetMetadata(RATE_LIMIT, policy), ApiExtension('x-rate-limit', policy));
