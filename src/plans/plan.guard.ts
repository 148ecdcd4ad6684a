import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { forbidden } from '../platform/http/errors/api-error';
import type { AuthenticatedRequest } from '../platform/access/principal';
import { routeMetadata } from '../platform/access/route-metadata';
import { PlanCache } from './plan-cache';
import { cheapestPlanWith, type Feature } from './plan-catalogue';
import { SubscriptionsService } from './subscriptions.service';

const FEATURE = Symbol('FEATURE');

/** Restricts a route to tenants whose plan includes the feature; others get 403 `feature_not_in_plan`. */
export const RequiresFeature = (feature: Feature) => SetMetadata(FEATURE, feature);

/** Enforces `@RequiresFeature` by the plan in force. */
@Injectable()
export class PlanGuard implements CanActivate {
  constructor(
    private readonly plans: PlanCache,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const feature = routeMetadata<Feature>(context, FEATURE);
    if (!feature) return true;
    const { user } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!user) return false;
    const { features } = await this.plans.planInForce(user.tenant_id);
    if (features.includes(feature)) return true;
    // Nothing is refused from the cache: the company may just have moved to a larger plan.
    const plan = await this.subscriptions.readPlanInForce(user.tenant_id);
    if (plan.features.includes(feature)) return true;
    throw forbidden(
      `The plan ${plan.name} does not include ${feature}. The plan ${cheapestPlanWith(feature)} does.`,
      'feature_not_in_plan',
    );
  }
}
