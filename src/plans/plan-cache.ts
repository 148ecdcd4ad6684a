import { Injectable } from '@nestjs/common';
import { RefreshingCache } from '../platform/cache/refreshing-cache';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { OnCommit } from '../platform/events/listeners';
import { notFound } from '../platform/http/errors/api-error';
import { type Plan, planInForce } from './plan-catalogue';
import type { Subscription } from './subscription.entity';
import { SubscriptionUpdated } from './subscription.events';

/** Below the documented 5 s within which a change by the operator's command takes effect. */
const SUBSCRIPTION_TTL_MS = 4000;
/** The subscription of a company that sends requests is read again at this age. */
const REFRESH_MS = 3000;

/** A row as `readSystem` returns it, with times as text. */
type SubscriptionRow = Pick<Subscription, 'tenant_id' | 'plan' | 'status'> & {
  grace_deadline: string | null;
};

/**
 * The plans in force, for requests that depend on the features of a plan. Limits are never decided by it, since a
 * subscription may have changed up to 4 s ago.
 */
@Injectable()
export class PlanCache {
  private readonly subscriptions: RefreshingCache<SubscriptionRow>;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.subscriptions = new RefreshingCache({
      max: 10_000,
      ttlMs: SUBSCRIPTION_TTL_MS,
      refreshMs: REFRESH_MS,
      clock,
      readAll: (tenantIds) => this.readAll(tenantIds),
    });
  }

  /** @throws 404 */
  async planInForce(tenantId: string): Promise<Plan> {
    const subscription = await this.subscriptions.read(tenantId);
    if (!subscription) throw notFound('Tenant');
    const { plan, status, grace_deadline } = subscription;
    const deadline = grace_deadline === null ? null : new Date(grace_deadline);
    return planInForce({ plan, status, grace_deadline: deadline }, this.clock.now());
  }

  /** The subscription has changed: it is read again, on this instance. */
  drop(tenantId: string): void {
    this.subscriptions.delete(tenantId);
  }

  @OnCommit(SubscriptionUpdated)
  onUpdated({ tenant_id }: SubscriptionUpdated): void {
    this.drop(tenant_id);
  }

  private async readAll(tenantIds: string[]): Promise<Map<string, SubscriptionRow>> {
    const [rows] = await this.database.readSystem<[SubscriptionRow]>([
      {
        text: 'SELECT tenant_id, plan, status, grace_deadline FROM subscriptions WHERE tenant_id = ANY ($1)',
        values: [tenantIds],
      },
    ]);
    return new Map(rows.map((row) => [row.tenant_id, row]));
  }
}
