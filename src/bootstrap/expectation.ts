import type { Server } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { ApiError } from '../platform/http/errors/api-error';

/**
 * Passes requests with an unknown Expect header to the application. Without a listener, Node answers them itself, with
 * neither a body nor an id.
 */
export function acceptExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Rejects every expectation except 100-continue with 417 (RFC 9110, 10.1.1). */
export function rejectUnknownExpectation(
  { headers }: Request,
  _response: Response,
  next: NextFunction,
): void {
  const { expect = '100-continue' } = headers;
  if (expect.toLowerCase() === '100-continue') return next();
  next(new ApiError(417, 'expectation_failed', 'The service supports no expectation except 100-continue.'));
}
