import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import { changedFields } from '../platform/events/record-updated';
import { EventBus } from '../platform/events/event-bus';
import { type PaymentEvent, deriveSubscription, type SubscriptionState } from './payment-history';
import type { PlanName, SubscriptionStatus } from './plan-catalogue';
import { SubscriptionUpdated } from './subscription.events';
import { Subscription } from './subscription.entity';

const NO_PERIOD = { current_period_start: null, current_period_end: null, grace_deadline: null };
const PENDING: SubscriptionState = { status: 'pending', ...NO_PERIOD };
/** The free plan has no payments, so payment events do not affect it. */
const FREE: SubscriptionState = { status: 'active', ...NO_PERIOD };

/** Creates the subscriptions of tenants, and changes them when their payments or plans change. */
@Injectable()
export class SubscriptionWriter {
  constructor(
    private readonly events: EventBus,
    private readonly clock: Clock,
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
}
