import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { Database } from '../../platform/database/database';
import { unauthenticated } from '../../platform/http/errors/api-error';
import { readIdParam } from '../../platform/http/input/id-params';
import type { AuthenticatedRequest } from '../../platform/access/principal';
import { CallAccess } from './call-access';

/**
 * For controllers below a `:call_id`: answers 404 unless the caller may see that call, before the body is read.
 */
@Injectable()
export class VisibleCallInterceptor implements NestInterceptor {
  constructor(
    private readonly database: Database,
    private readonly access: CallAccess,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { user, params } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!user) throw unauthenticated();
    const id = readIdParam(params, 'call_id');
    await this.database.tenant(user.tenant_id, (tx) => this.access.ensureVisible(tx, user, id));
    return next.handle();
  }
}
