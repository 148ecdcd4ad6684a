import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { changedFields } from '../platform/events/changed-fields';
import { EventBus } from '../platform/events/event-bus';
import { notFound, planLimit } from '../platform/http/errors/api-error';
import { TenantsService } from '../tenancy/tenants.service';
import { type PaymentEvent, deriveSubscription, type SubscriptionState } from './payment-history';
import {
  cheapestPlanAbove,
  type LimitName,
  type Plan,
  type PlanName,
  planInForce,
  type SubscriptionStatus,
} from './plan-catalogue';
import { SubscriptionUpdated } from './subscription.events';
import { Subscription } from './subscription.entity';

const LIMIT_NOUNS: Record<LimitName, { one: string; many: string }> = {
  max_concurrent_calls: { one: 'call at a time', many: 'calls at the same time' },
  max_users: { one: 'active user', many: 'active users' },
  max_departments: { one: 'department', many: 'departments' },
};

const NO_PERIOD = { current_period_start: null, current_period_end: null, grace_deadline: null };
const PENDING: SubscriptionState = { status: 'pending', ...NO_PERIOD };
/** Nothing is paid for it, so nothing that happens to payments touches it. */
const FREE: SubscriptionState = { status: 'active', ...NO_PERIOD };

/** As it is read, with the moment as text. */
type SubscriptionRow = Pick<Subscription, 'plan' | 'status'> & { grace_deadline: string | null };

@Injectable()
export class SubscriptionsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly tenants: TenantsService,
    private readonly events: EventBus,
  ) {}

  /** A free plan is active at once, a paid one is pending until its payment is confirmed. */
  async start(tx: Transaction, tenantId: string, plan: PlanName): Promise<Subscription> {
    const subscriptions = tx.repository(Subscription);
    const status = plan === 'free' ? 'active' : 'pending';
    return subscriptions.save(subscriptions.create({ tenant_id: tenantId, plan, status }));
  }

  /**
   * Brings the subscription to where all that happened to it leaves it. Behind the tenant's lock, so that
   * those who do this at the same time take turns.
   * @param history everything, however old; what occurred at one moment in the order of arrival
   */
  async applyHistory(tx: Transaction, tenantId: string, history: readonly PaymentEvent[]): Promise<void> {
    const subscriptions = tx.repository(Subscription);
    const before = await subscriptions.findOneBy({ tenant_id: tenantId });
    // Erased meanwhile: there is nothing to bring up to date.
    if (!before) return;
    const after = before.plan === 'free' ? FREE : deriveSubscription(history, PENDING);
    const changed = changedFields(before, after);
    if (changed.length === 0) return;
    const now = this.clock.now();
    await subscriptions.update(tenantId, { ...after, updated_at: now });
    await this.recordChange(tx, tenantId, before.plan, after.status);
  }

  /** Puts another plan in place of the present one; `settle` then says whether it is in force. */
  async changePlan(tx: Transaction, tenantId: string, plan: PlanName): Promise<void> {
    const subscriptions = tx.repository(Subscription);
    const { plan: before, status } = await subscriptions.findOneByOrFail({ tenant_id: tenantId });
    if (before === plan) return;
    await subscriptions.update(tenantId, { plan, updated_at: this.clock.now() });
    await this.recordChange(tx, tenantId, plan, status);
  }

  private recordChange(
    tx: Transaction,
    tenantId: string,
    plan: PlanName,
    status: SubscriptionStatus,
  ): Promise<void> {
    const at = this.clock.now().toISOString();
    return this.events.record(tx, new SubscriptionUpdated(tenantId, at, plan, status));
  }

  /** What the tenant subscribed to, in force or not. */
  get(tx: Transaction, tenantId: string): Promise<Subscription> {
    return tx.repository(Subscription).findOneByOrFail({ tenant_id: tenantId });
  }

  /** Takes the lock behind which limits are counted, before any row of what is counted is locked. */
  lockLimits(tx: Transaction, tenantId: string): Promise<void> {
    return this.tenants.lock(tx, tenantId);
  }

  /** As planInForce, for those who only look. @throws 404 */
  async readPlanInForce(tenantId: string): Promise<Plan> {
    const [[subscription]] = await this.database.readTenant<[SubscriptionRow]>(tenantId, [
      {
        name: 'plan-in-force',
        text: 'SELECT plan, status, grace_deadline FROM subscriptions WHERE tenant_id = $1',
        values: [tenantId],
      },
    ]);
    if (!subscription) throw notFound('Tenant');
    const { plan, status, grace_deadline } = subscription;
    const deadline = grace_deadline === null ? null : new Date(grace_deadline);
    return planInForce({ plan, status, grace_deadline: deadline }, this.clock.now());
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
  async ensureWithinLimit(
    tx: Transaction,
    tenantId: string,
    limit: LimitName,
    count: () => Promise<number>,
  ): Promise<void> {
    await this.tenants.lock(tx, tenantId);
    const plan = await this.planInForce(tx, tenantId);
    const most = plan.limits[limit];
    if (most === null) return;
    const used = await count();
    if (used < most) return;
    throw planLimit(
      `The plan ${plan.name} allows ${most} ${LIMIT_NOUNS[limit][most === 1 ? 'one' : 'many']}. ` +
        `The plan ${cheapestPlanAbove(limit, used)} allows more.`,
    );
  }
}
