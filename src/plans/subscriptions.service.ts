import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { settleAll } from '../platform/database/settle-all';
import type { Transaction } from '../platform/database/transaction';
import { changedFields } from '../platform/events/changed-fields';
import { EventBus } from '../platform/events/event-bus';
import { notFound, planLimit } from '../platform/http/errors/api-error';
import { TenantsService } from '../tenancy/tenants.service';
import { type PaymentEvent, deriveSubscription, type SubscriptionState } from './payment-history';
import {
  cheapestPlanAbove,
  PLAN_NAMES,
  PLANS,
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

  /**
   * As lockLimits, without waiting, if a row of another context matches and the plan has such a limit: otherwise the
   * transactions of one tenant would wait for each other for nothing.
   * @param rows `FROM table WHERE condition` with its values
   */
  lockLimitIf(
    tx: Transaction,
    tenantId: string,
    limit: CountLimit,
    rows: { from: string; values: unknown[] },
  ): void {
    const [tenant, plans] = [rows.values.length + 1, rows.values.length + 2];
    tx.send({
      text: `SELECT FROM tenants WHERE id = $${tenant} AND EXISTS (SELECT ${rows.from}) AND NOT EXISTS (
          SELECT FROM subscriptions s WHERE s.tenant_id = $${tenant} AND s.status = 'active' AND s.plan = ANY ($${plans}))
        FOR NO KEY UPDATE`,
      values: [...rows.values, tenantId, PLAN_NAMES.filter((name) => PLANS[name].limits[limit] === null)],
    });
  }

  /** As `planInForce`, outside of a transaction. @throws 404 */
  async readPlanInForce(tenantId: string): Promise<Plan> {
    const [[subscription]] = await this.database.readTenant<[SubscriptionRow]>(tenantId, [
      {
        text: 'SELECT plan, status, grace_deadline FROM subscriptions WHERE tenant_id = $1',
        values: [tenantId],
      },
    ]);
    if (!subscription) throw notFound('Tenant');
    const { plan, status, grace_deadline } = subscription;
    const deadline = grace_deadline === null ? null : new Date(grace_deadline);
    return planInForce({ plan, status, grace_deadline: deadline }, this.clock.now());
  }

  /** The plan whose limits apply to the tenant. @param lock keeps it from changing until the transaction ends */
  async planInForce(tx: Transaction, tenantId: string, lock: '' | 'FOR SHARE' = ''): Promise<Plan> {
    const subscription = await tx.one<Subscription>(
      `SELECT ${tx.columnsOf(Subscription, 's')} FROM subscriptions s WHERE s.tenant_id = $1 ${lock}`,
      [tenantId],
    );
    if (!subscription) throw notFound('Tenant');
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
    const [, ensure] = await settleAll([
      this.tenants.lock(tx, tenantId),
      this.limitCheck(tx, tenantId, limit, count),
    ]);
    ensure();
  }

  /**
   * As ensureWithinLimit, for callers that have called lockLimitIf and learn only later whether they need one more.
   * @returns a function that throws 403 plan_limit if there must not be one more
   */
  async limitCheck(
    tx: Transaction,
    tenantId: string,
    limit: CountLimit,
    count: () => Promise<number>,
  ): Promise<() => void> {
    const plan = await this.planInForce(tx, tenantId, 'FOR SHARE');
    const max = plan.limits[limit];
    if (max === null) return () => {};
    // The tenant is locked already, unless the plan has changed since.
    const [, used] = await settleAll([this.tenants.lock(tx, tenantId), count()]);
    if (used < max) return () => {};
    return () => {
      throw limitReached(plan, limit, max, used);
    };
  }
}

function limitReached(plan: Plan, limit: CountLimit, max: number, used: number) {
  return planLimit(
    `The plan ${plan.name} allows ${max} ${LIMIT_NOUNS[limit][max === 1 ? 'one' : 'many']}. ` +
      `The plan ${cheapestPlanAbove(limit, used)} allows more.`,
  );
}
