import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import { planLimit } from '../platform/http/api-error';
import { Tenants } from '../tenancy/tenants';
import { cheapestAbove, type LimitName, type Plan, type PlanName, planInForce } from './plan.catalogue';
import { addMonth } from './period';
import { Subscription } from './subscription.entity';

const LIMIT_WORDS: Record<LimitName, string> = {
  max_concurrent_calls: 'calls at the same time',
  max_users: 'active users',
  max_departments: 'departments',
};

@Injectable()
export class Subscriptions {
  constructor(
    private readonly clock: Clock,
    private readonly tenants: Tenants,
  ) {}

  /** A free plan is active at once, a paid one is pending until its payment is confirmed. */
  async start(tx: Transaction, tenantId: string, plan: PlanName): Promise<Subscription> {
    const subscriptions = tx.repository(Subscription);
    const status = plan === 'free' ? 'active' : 'pending';
    return subscriptions.save(subscriptions.create({ tenant_id: tenantId, plan, status }));
  }

  /** A payment arrived: the plan is in force and a period of one month starts at `paidAt`. */
  async activate(tx: Transaction, tenantId: string, paidAt: Date): Promise<void> {
    await tx.repository(Subscription).update(tenantId, {
      status: 'active',
      current_period_start: paidAt,
      current_period_end: addMonth(paidAt),
      grace_deadline: null,
    });
  }

  /** Takes the lock behind which limits are counted, before any row of what is counted is locked. */
  lockLimits(tx: Transaction, tenantId: string): Promise<void> {
    return this.tenants.lock(tx, tenantId);
  }

  async planInForce(tx: Transaction, tenantId: string): Promise<Plan> {
    const subscription = await tx.repository(Subscription).findOneByOrFail({ tenant_id: tenantId });
    return planInForce(subscription, this.clock.now());
  }

  /**
   * Makes sure that one more fits under the limit. Holds the tenant's lock until the transaction ends,
   * so that two of these cannot both take the last place.
   * @param count how many there are, counted behind the lock
   * @throws 403 plan_limit
   */
  async ensureRoom(
    tx: Transaction,
    tenantId: string,
    limit: LimitName,
    count: () => Promise<number>,
  ): Promise<void> {
    await this.tenants.lock(tx, tenantId);
    const plan = await this.planInForce(tx, tenantId);
    const most = plan.limits[limit];
    if (most === null || (await count()) < most) return;
    throw planLimit(
      `The plan ${plan.name} allows ${most} ${LIMIT_WORDS[limit]}. ` +
        `The plan ${cheapestAbove(limit, most)} allows more.`,
    );
  }
}
