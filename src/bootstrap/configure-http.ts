import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { SiteOrigins } from '../calls/customer/site-origins';
import { serveAssets } from '../pages/build/serve-assets';
import { WebBuildCache } from '../pages/build/web-build-cache';
import { escapeMalformedLinks } from '../pages/customer/escape-malformed-links';
import type { Config } from '../platform/config/config';
import { Metrics } from '../platform/metrics/metrics';
import { logRequest } from './access-log';
import { ConnectionLimitError } from '../platform/database/connections/semaphore';
import { clientAddress } from '../platform/rate-limit/client-address';
import { FairTurns } from '../platform/rate-limit/fair-turns';
import { LargeBodyLimit } from './large-body-limit';
import { RATE_LIMIT_HEADERS } from '../platform/rate-limit/rate-limit.headers';
import { serveOpenApi } from './openapi/openapi-document';
import { rejectUnknownExpectation } from './expectation';
import { identifyRequest } from './request-id';
import { DOWNLOAD_HEADERS } from '../files/downloads/send-object';
import { limitBodyDuration } from './body-duration';
import { parseJsonBodies } from '../platform/http/input/json-body';
import { isTracingOn } from '../platform/tracing/tracer';
import { setTusHeaders, TUS_HEADERS } from '../recordings/tus/tus-protocol';
import { allowOrigins } from './allow-origins';
import { jsonBodyLimitOf } from './json-body-limits';
import { observeRequests } from './observe-requests';
import { traceRequests } from './trace-requests';

/** Configures the parts of HTTP that are not routes: security headers, CORS, body limits, proxies, API reference. */
export function configureHttp(app: NestExpressApplication, config: Config): void {
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustProxy);
  app.set('query parser', 'simple');
  app.set('etag', false);
  const metrics = app.get(Metrics);
  const siteOrigins = app.get(SiteOrigins);
  const largeBodies = new LargeBodyLimit(({ path, headers }) => jsonBodyLimitOf(path, headers).bytes);
  app.use(
    identifyRequest,
    ...(isTracingOn(process.env) ? [traceRequests] : []),
    observeRequests(logRequest, (...request) => metrics.observe(...request)),
    inTurn(app.get(FairTurns)),
    // Before CORS, which answers every OPTIONS request while its body may still be arriving.
    limitBodyDuration(),
    helmet({
      contentSecurityPolicy: {
        directives: {
          // Without TLS, upgraded requests for the scripts of /docs would fail.
          upgradeInsecureRequests: config.publicUrl.startsWith('https:') ? [] : null,
        },
      },
      strictTransportSecurity: config.publicUrl.startsWith('https:'),
    }),
    forbidStoring,
    serveAssets(app.get(WebBuildCache)),
    escapeMalformedLinks,
    setTusHeaders(config.maxRecordingBytes),
    allowOrigins(
      {
        origin: config.corsOrigins,
        exposedHeaders: [
          'X-Request-Id',
          'Retry-After',
          'WWW-Authenticate',
          ...RATE_LIMIT_HEADERS,
          ...TUS_HEADERS,
          ...DOWNLOAD_HEADERS,
        ].join(','),
        maxAge: 600,
      },
      (origin, request) => siteOrigins.allows(origin, request),
    ),
    // Last, so that a request whose body is rejected has an id, a log line and the headers by which browsers show the error.
    rejectUnknownExpectation,
    largeBodies.limitAnnounced,
    parseJsonBodies(jsonBodyLimitOf, (...received) => largeBodies.checkReceived(...received)),
  );
  serveOpenApi(app);
}

/** Of one address. A client that does not wait for answers could send requests until the memory is full. */
const MAX_WAITING_REQUESTS = 2000;

/**
 * Requests begin one in each turn of the event loop, so that a flood of one address does not delay the others.
 * @throws 503 if too many of the address wait already
 */
function inTurn(turns: FairTurns): RequestHandler {
  return async (request, _response, next) => {
    const address = clientAddress(request);
    if (turns.waiting(address) >= MAX_WAITING_REQUESTS)
      throw new ConnectionLimitError('Too many requests of this address are waiting.');
    await turns.next(address);
    if (!request.socket.destroyed) next();
  };
}

/**
 * Answers have tokens and personal data, which no cache may keep, that of the browser included. Pictures, recordings and files
 * replace the header, and the API reference has neither.
 */
const forbidStoring: RequestHandler = (request, response, next) => {
  if (!request.path.startsWith('/docs')) response.setHeader('Cache-Control', 'no-store');
  next();
};
