import type { IncomingMessage } from 'node:http';

const KIB = 1024;

/** The largest JSON body by path, in bytes; the first match applies. */
const LIMITS: readonly [path: RegExp, bytes: number][] = [
  // GatewayController reads the body itself, after the token has been checked.
  [/^\/api\/webhooks\//i, 0],
  [/^\/api\/v1\/access-links\/batch\/?$/i, 256 * KIB],
  // Customers have no token.
  [/^\/api\/v1\/call\//i, 16 * KIB],
  [/^\/api\/v1\//i, 128 * KIB],
];

/** Everything else is open to everyone: login, signup, pages. */
const DEFAULT_LIMIT = 16 * KIB;

/** A Bearer token (RFC 6750) in the form of a JWT (RFC 7515, 7.1). */
const ACCESS_TOKEN = /^Bearer +[\w-]+\.[\w-]+\.[\w-]+$/i;

/**
 * The largest JSON body that is accepted at a path, in bytes; 0 if the route reads the body itself. A path without a
 * route has a limit, too. Bodies are parsed before the access token is checked, so without one, or with a text that is
 * none by its form, no path accepts more than the public ones.
 */
export function maxJsonBodyBytes(path: string, { authorization = '' }: IncomingMessage['headers']): number {
  const limit = LIMITS.find(([pattern]) => pattern.test(path))?.[1] ?? DEFAULT_LIMIT;
  return ACCESS_TOKEN.test(authorization) ? limit : Math.min(limit, DEFAULT_LIMIT);
}
