import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { PinoLogger } from 'nestjs-pino';
import type { Logger } from 'pino';

/** Asked every few seconds by machines; metrics tell of their answers. */
const UNLOGGED_PATHS = /^\/(healthz|readyz|metrics)\b/;

/**
 * Express middleware that writes one line a request, with its id, once the answer is out. Nothing in the
 * line is in need of redaction, so it is spared the search for secrets.
 */
export function accessLog(): RequestHandler {
  let logger: Logger | undefined;
  return (request: Request, response: Response, next: NextFunction) => {
    const start = performance.now();
    response.on('finish', () => {
      if (UNLOGGED_PATHS.test(request.originalUrl)) return;
      logger ??= PinoLogger.root.child({ context: 'Request' }, { redact: [] });
      const { statusCode: status } = response;
      logger[logLevelOf(status)]({
        request_id: request.request_id,
        method: request.method,
        url: redactTokens(request.originalUrl),
        status,
        address: request.ip,
        duration_ms: Math.round((performance.now() - start) * 10) / 10,
      });
    });
    next();
  };
}

/** Being turned away for a moment (503) is worth a look; being failed is worth more. */
function logLevelOf(status: number): 'info' | 'warn' | 'error' {
  if (status < 500) return 'info';
  return status === 503 ? 'warn' : 'error';
}

/** An access link's token opens a queue to whoever reads it; a query may carry a token, too. */
export function redactTokens(url: string): string {
  return url
    .replace(
      /^((?:\/api\/v1)?\/call\/)(?!status\/|evaluate\/|cancel\/|resume|turn-credentials)[^/?]+/i,
      '$1[token]',
    )
    .replace(/([?&](?:token|ticket|access_token)=)[^&]*/gi, '$1[redacted]');
}
