import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { envelope } from './envelope';

/**
 * Writes the value of every handler in the envelope. A global interceptor could do this as well, but then Nest would
 * run every request and socket message through a chain of observables.
 */
export class EnvelopingAdapter extends ExpressAdapter {
  override reply(response: Response, value: unknown, status?: number): unknown {
    return super.reply(response, envelope(response, value), status) as unknown;
  }
}
