import { unauthenticated } from '../../platform/http/errors/api-error';

/** The token of an Authorization header (RFC 6750, 2.1); undefined without one. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];

/** As bearerToken. @throws 401 without one */
export function requiredBearerToken(authorization: string | undefined): string {
  const token = bearerToken(authorization);
  if (!token) throw unauthenticated('Send the websocket_token of the join as a Bearer token.');
  return token;
}
