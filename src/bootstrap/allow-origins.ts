import cors, { type CorsOptions } from 'cors';
import type { Request, RequestHandler } from 'express';

/** Whether a company allows the origin to send the request. */
export type IsAllowedSite = (origin: string, request: Request) => Promise<boolean>;

/**
 * CORS, for known origins and for the sites of companies. A request without an Origin, as other services and pages of the
 * service itself send it, gets nothing but `Vary`: by that header caches know that their response to it is not one for pages
 * of other origins.
 * @param isAllowedSite is asked about other origins; it must not reject
 */
export function allowOrigins(
  options: CorsOptions & { origin: string[] },
  isAllowedSite: IsAllowedSite,
): RequestHandler {
  const allow = cors(options);
  const allowAny = cors({ ...options, origin: true });
  return (request, response, next) => {
    const { origin } = request.headers;
    if (origin === undefined && request.method !== 'OPTIONS') {
      response.vary('Origin');
      next();
    } else if (origin === undefined || options.origin.includes(origin)) {
      allow(request, response, next);
    } else {
      void isAllowedSite(origin, request).then((isAllowed) =>
        (isAllowed ? allowAny : allow)(request, response, next),
      );
    }
  };
}
