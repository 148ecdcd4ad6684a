import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { tooManyRequests } from '../http/errors/api-error';
import { clientAddress } from './client-address';
import { LARGE_BYTES, LargeBodies } from './large-bodies';
import { isLoopbackClient } from './loopback-client';
import { trustFunction } from './trust-function';

/**
 * Answers large JSON bodies with 429 if their client has sent too much of them: by their Content-Length before they are read,
 * otherwise after that, but before they are parsed. Loopback is exempt.
 */
export class LargeBodyLimit {
  private readonly bodies = new LargeBodies();

  /** @param maxBytesOf the largest body that is read for a request: a larger one is refused anyway, and costs nothing */
  constructor(private readonly maxBytesOf: (request: Request) => number) {}

  /** For bodies with a Content-Length. */
  readonly limitAnnounced: RequestHandler = (request, response, next) => {
    const bytes = Number(request.headers['content-length'] ?? 0);
    if (bytes > LARGE_BYTES && request.is('application/json') && bytes <= this.maxBytesOf(request))
      this.admit(request, response, bytes, next);
    else next();
  };

  /** For bodies without one. @throws 429 */
  checkReceived(request: Request, response: Response, bytes: number): void {
    if (bytes <= LARGE_BYTES || request.headers['content-length'] !== undefined) return;
    this.admit(request, response, bytes, (refusal?: unknown) => {
      if (refusal) throw refusal;
    });
  }

  private admit(request: Request, response: Response, bytes: number, decide: NextFunction): void {
    if (isLoopbackClient(request, trustFunction(request.app))) return decide();
    const address = clientAddress(request);
    const seconds = this.bodies.admit(address, bytes);
    if (seconds > 0) return decide(tooManyRequests(seconds));
    response.once('finish', () => {
      if (response.statusCode === 400 || response.statusCode === 422)
        this.bodies.countInvalid(address, bytes);
    });
    decide();
  }
}
