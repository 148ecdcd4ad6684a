import { ExpressAdapter } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { envelope, isUnwrapped } from './envelope';

/**
 * Writes the value of every handler in the envelope. A global interceptor could do this as well, but then Nest would
 * run every request and socket message through a chain of observables.
 */
export class EnvelopingAdapter extends ExpressAdapter {
  /** Express's own `json` would look for settings, charsets and validators that these responses do not have. */
  override reply(response: Response, value: unknown, status = response.statusCode): unknown {
    if (value === undefined || isUnwrapped(response)) return super.reply(response, value, status) as unknown;
    response.statusCode = status;
    // 304 for `If-None-Match: *`
    if (isConditional(response.req) && response.req.fresh)
      return super.reply(response, envelope(value), status) as unknown;
    const body = JSON.stringify(envelope(value));
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(body));
    return response.end(body);
  }
}

/** Express looks for the validators of every response to a GET, even if the request has none. */
const isConditional = ({ headers }: Request): boolean =>
  headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
