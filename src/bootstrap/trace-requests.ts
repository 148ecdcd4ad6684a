import { isSpanContextValid, SpanKind } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';
import { isLogged, redactUrl } from './access-log';
import { markFailed, runInSpan } from '../platform/tracing/tracer';

/**
 * Express middleware that records each request as a span, which belongs to the span that the client names (`traceparent`).
 * Probes and scrapes are not recorded.
 */
export function traceRequests(request: Request, response: Response, next: NextFunction): void {
  if (!isLogged(request)) return next();
  const { method } = request;
  const description = {
    name: method,
    kind: SpanKind.SERVER,
    attributes: {
      'http.request.method': method,
      'url.path': redactUrl(request.originalUrl).split('?', 1)[0] ?? '',
      'vcq.request_id': request.request_id,
    },
    carrier: request.headers,
  };
  runInSpan(description, (span) => {
    // The SDK makes no spans if it knows none of the exporters in OTEL_TRACES_EXPORTER.
    if (!isSpanContextValid(span.spanContext())) return next();
    request.trace_id = span.spanContext().traceId;
    response.once('close', () => {
      const path = (request.route as { path?: unknown } | undefined)?.path;
      if (typeof path === 'string') span.updateName(`${method} ${path}`).setAttribute('http.route', path);
      const { statusCode, writableFinished } = response;
      span.setAttribute('http.response.status_code', statusCode);
      if (!writableFinished) markFailed(span, { code: 'client_disconnected' });
      else if (statusCode >= 500) markFailed(span, { code: statusCode });
      span.end();
    });
    next();
  });
}
