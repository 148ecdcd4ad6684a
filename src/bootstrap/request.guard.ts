import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthenticationGuard } from '../identity/sessions/authentication.guard';
import { RoleGuard } from '../identity/sessions/role.guard';
import { FeatureGuard } from '../plans/feature.guard';
import { RateLimitGuard } from '../platform/rate-limit/rate-limit.guard';

/**
 * What every HTTP request passes, in this order: who, how often, which role, which plan. Socket messages
 * come from a socket that was authenticated when it connected; their own interceptor checks them.
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
    await this.authenticateAndCount(context);
    for (const guard of this.furtherGuards) {
      if (!(await guard.canActivate(context))) return false;
    }
    return true;
  }

  /** Whoever is refused counts, too, for the client's address: guessing tokens must not be free. */
  private async authenticateAndCount(context: ExecutionContext): Promise<void> {
    try {
      await this.authentication.canActivate(context);
    } catch (refusal) {
      await this.rateLimit.canActivate(context);
      throw refusal;
    }
    await this.rateLimit.canActivate(context);
  }
}
