import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthenticationGuard } from './identity/authentication.guard';
import { RoleGuard } from './identity/role.guard';
import { FeatureGuard } from './plans/requires-feature';
import { RateLimitGuard } from './platform/rate-limit/rate-limit.guard';

/**
 * What every HTTP request passes, in this order: who, how often, which role, which plan. Socket messages
 * come from a socket that was authenticated when it connected; their own interceptor checks them.
 */
@Injectable()
export class RequestGuard implements CanActivate {
  private readonly guards: CanActivate[];

  constructor(
    authentication: AuthenticationGuard,
    rateLimit: RateLimitGuard,
    role: RoleGuard,
    feature: FeatureGuard,
  ) {
    this.guards = [authentication, rateLimit, role, feature];
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    for (const guard of this.guards) {
      if (!(await guard.canActivate(context))) return false;
    }
    return true;
  }
}
