import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthenticationGuard } from '../identity/sessions/authentication.guard';
import { RoleGuard } from '../identity/sessions/role.guard';
import { FeatureGuard } from '../plans/feature.guard';
import { PUBLIC } from '../platform/access/public.decorator';
import { RESERVED_CONNECTION } from '../platform/access/reserved-connection.decorator';
import { routeMetadata } from '../platform/access/route-metadata';
import { refuseMisspeltFields } from '../platform/http/input/misspelt-fields';
import { type RequestContext, setConnectionKind } from '../platform/logging/request-context';
import { RateLimitGuard } from '../platform/rate-limit/rate-limit.guard';

/**
 * The guards of every HTTP request, in this order: authentication, rate limit, role, plan, names of fields. Socket messages are not
 * checked here: their socket was authenticated when it connected, and an interceptor checks them.
 */
@Injectable()
export class RequestGuard implements CanActivate {
  private readonly furtherGuards: CanActivate[];

  constructor(
    private readonly authentication: AuthenticationGuard,
    private readonly rateLimit: RateLimitGuard,
    role: RoleGuard,
    feature: FeatureGuard,
  ) {
    this.furtherGuards = [role, feature];
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    setConnectionKind(connectionKindOf(context));
    await this.authenticateAndCount(context);
    for (const guard of this.furtherGuards) {
      if (!(await guard.canActivate(context))) return false;
    }
    refuseMisspeltFields(context);
    return true;
  }

  /** Rejected tokens count against the client address, so token guessing is rate limited. */
  private async authenticateAndCount(context: ExecutionContext): Promise<void> {
    try {
      await this.authentication.canActivate(context);
    } catch (error) {
      await this.rateLimit.canActivate(context);
      throw error;
    }
    await this.rateLimit.canActivate(context);
  }
}

function connectionKindOf(context: ExecutionContext): RequestContext['connection'] {
  const isReserved = routeMetadata<boolean>(context, RESERVED_CONNECTION) === true;
  if (routeMetadata<boolean>(context, PUBLIC)) return isReserved ? 'public_reserved' : 'public';
  return isReserved ? 'reserved' : undefined;
}
