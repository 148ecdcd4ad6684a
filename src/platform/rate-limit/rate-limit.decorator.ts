import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/**
 * The rate limit of a route. `auth`: per client address and account (or route, if the body has no account),
 * and per client address. `public`, `page` (the pages of links and buttons of the widget), `gateway`, `asset` (public images, the console): per
 * client address. `api`, the default of routes that require a token: per user, and per client address for requests that
 * fail authentication. `none`: the operator's routes.
 */
export type RateLimitPolicy = 'auth' | 'public' | 'page' | 'gateway' | 'asset' | 'api' | 'none';

/** Metadata key of the policy. */
export const RATE_LIMIT = Symbol('RATE_LIMIT');

/** Sets the rate limit of a controller or route. */
export const RateLimit = (policy: RateLimitPolicy) =>
  applyDecorators(SetMetadata(RATE_LIMIT, policy), ApiExtension('x-rate-limit', policy));
