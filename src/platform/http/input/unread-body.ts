import type { Request } from 'express';
import { unsupportedMediaType } from '../errors/api-error';

/**
 * The body of a request whose Content-Type is not JSON. Routes that take no other type refuse it (InputPipe); routes that
 * read it themselves, such as uploads, replace it.
 */
export class UnreadBody {
  constructor(private readonly request: Request) {}

  /** @throws 415 unless the body turns out to be empty */
  async refuse(): Promise<void> {
    if (await this.isEmpty()) return;
    throw unsupportedMediaType('Send the body as JSON, with the header Content-Type: application/json.');
  }

  /** Without a Content-Length this is known only when the first byte or the end arrives, which an aborted request has not. */
  async isEmpty(): Promise<boolean> {
    const { request } = this;
    if (request.headers['content-length'] !== undefined || request.readableEnded)
      return request.readableEnded;
    await new Promise((resolve) => {
      for (const event of ['readable', 'close', 'error']) request.once(event, resolve);
    });
    return !request.readableAborted && request.read() === null;
  }
}
