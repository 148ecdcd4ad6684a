import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { ApiError } from '../http/errors/api-error';
import { Lifecycle } from './lifecycle';

/**
 * Rejects customers who join while the service shuts down (503), so that they retry on another instance or
 * after the restart.
 */
@Injectable()
export class DrainingMiddleware implements NestMiddleware {
  constructor(private readonly lifecycle: Lifecycle) {}

  use(_request: Request, _response: Response, next: NextFunction): void {
    if (!this.lifecycle.isShuttingDown) return next();
    next(new ApiError(503, 'unavailable', 'The service is restarting. Try again in a moment.'));
  }
}
