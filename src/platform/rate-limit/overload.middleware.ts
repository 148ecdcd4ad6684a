import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { PoolAdmission } from '../database/connections/pool-admission';
import { ConnectionLimitError } from '../database/connections/semaphore';

/**
 * Rejects the requests of its routes (503) at once while more of them wait for a connection than can be served in time.
 * Otherwise handling those that are refused in the end would take the time that others need.
 */
@Injectable()
export class OverloadMiddleware implements NestMiddleware {
  constructor(private readonly admission: PoolAdmission) {}

  use(_request: Request, _response: Response, next: NextFunction): void {
    if (this.admission.isOverloaded) next(new ConnectionLimitError('The service is busy.'));
    else next();
  }
}
