import type { IncomingMessage } from 'node:http';
import { type JsonBodyLimit, jsonBodyLimit } from '../platform/http/input/json-body';

const KIB = 1024;

/** Everything without another limit is open to everyone: login, signup, pages. */
const DEFAULT_LIMIT = jsonBodyLimit(16 * KIB);

/** The limits by path; the first match applies. */
const LIMITS: readonly [path: RegExp, limit: JsonBodyLimit][] = [
  // GatewayController reads the body itself, after the token has been checked.
  [/^\/api\/webhooks\//i, jsonBodyLimit(0)],
  // The fields of a link and its skills take more than 16 bytes each, so the size is the limit of a batch.
  [/^\/api\/v1\/access-links\/batch\/?$/i, { bytes: 256 * KIB, values: 16 * KIB }],
  // Customers have no token.
  [/^\/api\/v1\/call\//i, DEFAULT_LIMIT],
  [/^\/api\/v1\//i, jsonBodyLimit(128 * KIB)],
];

/** A Bearer token (RFC 6750) in the form of a JWT (RFC 7515, 7.1). */
const ACCESS_TOKEN = /^Bearer +[\w-]+\.[\w-]+\.[\w-]+$/i;

/**
 * The largest JSON body that is accepted at a path; 0 bytes if the route reads the body itself. A path without a
 * route has a limit, too. Bodies are parsed before the access token is checked, so without one, or with a text that is
 * none by its form, no path accepts more than the public ones.
 */
export function jsonBodyLimitOf(
  path: string,
  { authorization = '' }: IncomingMessage['headers'],
): JsonBodyLimit {
  const limit = LIMITS.find(([pattern]) => pattern.test(path))?.[1] ?? DEFAULT_LIMIT;
  const isLarge = limit.bytes > DEFAULT_LIMIT.bytes;
  return isLarge && !ACCESS_TOKEN.test(authorization) ? DEFAULT_LIMIT : limit;
}
