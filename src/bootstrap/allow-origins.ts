import cors, { type CorsOptions } from 'cors';
import type { RequestHandler } from 'express';

/**
 * CORS. A request without an Origin, as other services and pages of the service itself send it, gets nothing but `Vary`:
 * by that header caches know that their response to it is not one for pages of other origins.
 */
export function allowOrigins(options: CorsOptions): RequestHandler {
  const allow = cors(options);
  return (request, response, next) => {
    if (request.headers.origin !== undefined || request.method === 'OPTIONS') {
      allow(request, response, next);
      return;
    }
    response.vary('Origin');
    next();
  };
}
