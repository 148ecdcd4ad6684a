import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { ApiError } from '../../platform/http/errors/api-error';
import { Lifecycle } from '../../platform/http/lifecycle';

/**
 * Rejects the requests of its routes (503) while the service shuts down, so that clients retry on another instance or
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
