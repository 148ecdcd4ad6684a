import type { RequestHandler } from 'express';
import { isLogged, redactUrl } from '../platform/logging/access-log';
import type { Tracer } from '../platform/tracing/tracer';

/**
 * Express middleware that records each request as a span, which belongs to the span that the client names (`traceparent`).
 * Probes and scrapes are not recorded.
 */
export function traceRequests(tracer: Tracer): RequestHandler {
  return (request, response, next) => {
    if (!isLogged(request)) return next();
    const { method } = request;
    const span = tracer.start({
      name: method,
      kind: 'server',
      attributes: {
        'http.request.method': method,
        'url.path': redactUrl(request.originalUrl).split('?', 1)[0] ?? '',
        'vcq.request_id': request.request_id,
      },
      carrier: request.headers,
    });
    request.trace_id = span.traceId;
    response.once('close', () => {
      const path = (request.route as { path?: unknown } | undefined)?.path;
      if (typeof path === 'string') {
        span.rename(`${method} ${path}`);
        span.setAttributes({ 'http.route': path });
      }
      const { statusCode, writableFinished } = response;
      span.setAttributes({ 'http.response.status_code': statusCode });
      if (!writableFinished) span.end({ code: 'client_disconnected' });
      else span.end(statusCode >= 500 ? { code: statusCode } : undefined);
    });
    span.run(next);
  };
}
