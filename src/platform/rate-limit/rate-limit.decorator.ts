import { SetMetadata } from '@nestjs/common';

/**
 * Which allowance a route draws on. `auth`: per client address and account, and per client address.
 * `public`, `gateway`: per client address. `api`: per user, the default of routes that demand a token.
 * `none`: the operator's own routes.
 */
export type RateLimitPolicy = 'auth' | 'public' | 'gateway' | 'api' | 'none';

export const RATE_LIMIT = Symbol('RATE_LIMIT');

export const RateLimit = (policy: RateLimitPolicy) => SetMetadata(RATE_LIMIT, policy);
