import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
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
    if (response.req.fresh) return super.reply(response, envelope(value), status) as unknown;
    const body = JSON.stringify(envelope(value));
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(body));
    return response.end(body);
  }
}
