import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { requiredBearerToken } from './bearer-token';

/** Rejects requests without a Bearer token before their body is validated; the token is verified by the use case. */
@Injectable()
export class BearerTokenGuard implements CanActivate {
  /** @throws 401 */
  canActivate(context: ExecutionContext): boolean {
    requiredBearerToken(context.switchToHttp().getRequest<Request>().headers.authorization);
    return true;
  }
}
