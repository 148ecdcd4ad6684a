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

/**
 * The largest JSON body that is accepted at a path, in bytes; 0 if the route reads the body itself. A path without a
 * route has a limit, too.
 */
export function maxJsonBodyBytes(path: string): number {
  return LIMITS.find(([pattern]) => pattern.test(path))?.[1] ?? DEFAULT_LIMIT;
}
