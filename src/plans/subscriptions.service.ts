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
  type CountLimit,
  type Plan,
  type PlanName,
  planInForce,
  type SubscriptionStatus,
} from './plan-catalogue';
import { SubscriptionUpdated } from './subscription.events';
import { Subscription } from './subscription.entity';

const LIMIT_NOUNS: Record<CountLimit, { one: string; many: string }> = {
  max_concurrent_calls: { one: 'call at a time', many: 'calls at the same time' },
  max_users: { one: 'active user', many: 'active users' },
  max_departments: { one: 'department', many: 'departments' },
};

const NO_PERIOD = { current_period_start: null, current_period_end: null, grace_deadline: null };
const PENDING: SubscriptionState = { status: 'pending', ...NO_PERIOD };
/** The free plan has no payments, so payment events do not affect it. */
const FREE: SubscriptionState = { status: 'active', ...NO_PERIOD };

/** A row as `readTenant` returns it, with times as text. */
type SubscriptionRow = Pick<Subscription, 'plan' | 'status'> & { grace_deadline: string | null };

/** Reads and changes the subscriptions of tenants, and enforces the limits of their plans. */
@Injectable()
export class SubscriptionsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly tenants: TenantsService,
    private readonly events: EventBus,
  ) {}

  /**
   * Creates the subscription of a new tenant. A free plan is active, a paid one pending until its payment is
   * confirmed.
   */
  async start(tx: Transaction, tenantId: string, plan: PlanName): Promise<Subscription> {
    const subscriptions = tx.repository(Subscription);
    const status = plan === 'free' ? 'active' : 'pending';
    return subscriptions.save(subscriptions.create({ tenant_id: tenantId, plan, status }));
  }

  /**
   * Updates the subscription to the state that its history leads to. The caller holds the tenant's lock, so
   * that two updates cannot overwrite each other.
   * @param history all events; those with the same `occurred_at` in the order in which they were received
   */
  async applyHistory(tx: Transaction, tenantId: string, history: readonly PaymentEvent[]): Promise<void> {
    const subscriptions = tx.repository(Subscription);
    const before = await subscriptions.findOneBy({ tenant_id: tenantId });
    // The tenant was erased in the meantime.
    if (!before) return;
    const after = before.plan === 'free' ? FREE : deriveSubscription(history, PENDING);
    const changed = changedFields(before, after);
    if (changed.length === 0) return;
    const now = this.clock.now();
    await subscriptions.update(tenantId, { ...after, updated_at: now });
    await this.recordChange(tx, tenantId, before.plan, after.status);
  }

  /** Replaces the chosen plan. `applyHistory` then decides whether it is paid for. */
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

  /** The tenant's subscription, whether or not it is paid for. */
  get(tx: Transaction, tenantId: string): Promise<Subscription> {
    return tx.repository(Subscription).findOneByOrFail({ tenant_id: tenantId });
  }

  /**
   * Takes the lock under which limits are counted. Call it before locking any of the counted rows, since
   * the tenant comes first in the lock order.
   */
  lockLimits(tx: Transaction, tenantId: string): Promise<void> {
    return this.tenants.lock(tx, tenantId);
  }

  /** As `planInForce`, outside of a transaction. @throws 404 */
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

  /** The plan whose limits apply to the tenant. */
  async planInForce(tx: Transaction, tenantId: string): Promise<Plan> {
    const subscription = await tx.repository(Subscription).findOneByOrFail({ tenant_id: tenantId });
    return planInForce(subscription, this.clock.now());
  }

  /**
   * Checks that one more is within the limit of the plan. Holds the tenant's lock until the transaction
   * ends, so that two transactions cannot both use the last one that is left.
   * @param count returns the present number; it is called under the lock
   * @throws 403 plan_limit
   */
  async ensureWithinLimit(
    tx: Transaction,
    tenantId: string,
    limit: CountLimit,
    count: () => Promise<number>,
  ): Promise<void> {
    await this.tenants.lock(tx, tenantId);
    const plan = await this.planInForce(tx, tenantId);
    const max = plan.limits[limit];
    if (max === null) return;
    const used = await count();
    if (used < max) return;
    throw planLimit(
      `The plan ${plan.name} allows ${max} ${LIMIT_NOUNS[limit][max === 1 ? 'one' : 'many']}. ` +
        `The plan ${cheapestPlanAbove(limit, used)} allows more.`,
    );
  }
}
