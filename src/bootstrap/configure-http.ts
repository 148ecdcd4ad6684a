import type { NestExpressApplication } from '@nestjs/platform-express';
import { json } from 'express';
import helmet from 'helmet';
import { keepRawBody } from '../billing/raw-body';
import type { Config } from '../platform/config/config';
import { Metrics, requestMetrics } from '../platform/health/metrics';
import { accessLog } from '../platform/logging/access-log';
import { RATE_LIMIT_HEADERS } from '../platform/rate-limit/rate-limit.headers';
import { serveOpenApi } from '../platform/http/openapi/openapi-document';
import { identifyRequest } from '../platform/http/request-id';
import { DOWNLOAD_HEADERS } from '../platform/http/downloads/send-object';
import { boundSlowBodies } from '../platform/http/input/slow-bodies';
import { announceTus, TUS_HEADERS } from '../platform/http/uploads/tus';

/** The largest JSON body any endpoint needs: 500 access links with their labels. */
const BODY_LIMIT = '1mb';

/** Everything of HTTP that is not a route: security headers, CORS, body limits, proxies, the reference. */
export function configureHttp(app: NestExpressApplication, config: Config): void {
  // Before anything can fail, so that a refused body, too, has its id, its line and its figure.
  app.use(identifyRequest, accessLog(), requestMetrics(app.get(Metrics)), boundSlowBodies());
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustProxy);
  app.set('query parser', 'simple');
  app.set('etag', false);
  app.use(json({ limit: BODY_LIMIT, verify: keepRawBody }));
  app.use(
    helmet({
      contentSecurityPolicy: {
        directives: {
          // Without TLS in front, upgrading would leave /docs without its scripts.
          upgradeInsecureRequests: config.publicUrl.startsWith('https:') ? [] : null,
        },
      },
      strictTransportSecurity: config.publicUrl.startsWith('https:'),
    }),
  );
  app.use(announceTus(config.maxRecordingBytes));
  app.enableCors({
    origin: config.corsOrigins,
    exposedHeaders: [
      'X-Request-Id',
      'Retry-After',
      ...RATE_LIMIT_HEADERS,
      ...TUS_HEADERS,
      ...DOWNLOAD_HEADERS,
    ],
    maxAge: 600,
  });
  serveOpenApi(app);
}
