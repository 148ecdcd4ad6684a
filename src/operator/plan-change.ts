import { Injectable } from '@nestjs/common';
import { PaymentNotificationsService } from '../billing/payment-notifications.service';
import { PlanView } from '../billing/plan-view';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import type { LimitName, PlanName, SubscriptionStatus } from '../plans/plan-catalogue';
import { SubscriptionsService } from '../plans/subscriptions.service';
import type { UsageFigure } from '../plans/usage-registry';
import { enterTenant } from './find-tenant';

interface PlanAndStatus {
  plan: PlanName;
  status: SubscriptionStatus;
}

/** A figure that is above what the limits in force allow. */
interface Excess {
  figure: UsageFigure;
  used: number;
  limit: number;
}

export interface PlanChangeResult {
  tenant: string;
  before: PlanAndStatus;
  after: PlanAndStatus;
  above_limits: Excess[];
}

/** Which figure each limit is about; that of calls has none. */
const LIMITED: [UsageFigure & ('active_users' | 'active_departments'), LimitName][] = [
  ['active_users', 'max_users'],
  ['active_departments', 'max_departments'],
];

/** The operator gives a tenant another plan. What the tenant has stays, also above the new limits. */
@Injectable()
export class PlanChange {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsService,
    private readonly payments: PaymentNotificationsService,
    private readonly plans: PlanView,
  ) {}

  /**
   * @param pending leaves it to payments, those so far and those to come, whether the plan is in force
   * @throws Refusal
   */
  async change(which: string, plan: PlanName, pending: boolean): Promise<PlanChangeResult> {
    const { id, ...change } = await this.database.system(async (tx) => {
      const { id, slug } = await enterTenant(tx, which);
      await this.subscriptions.lockLimits(tx, id);
      const before = await this.standingOf(tx, id);
      await this.subscriptions.changePlan(tx, id, plan);
      const isInForce = before.plan === plan && before.status === 'active';
      if (pending || plan === 'free') await this.payments.refreshSubscriptionIn(tx, id);
      else if (!isInForce) await this.payments.grant(tx, id);
      return { id, tenant: slug, before, after: await this.standingOf(tx, id) };
    });
    return { ...change, above_limits: await this.excessOf(id) };
  }

  private async standingOf(tx: Transaction, tenantId: string): Promise<PlanAndStatus> {
    const { plan, status } = await this.subscriptions.get(tx, tenantId);
    return { plan, status };
  }

  private async excessOf(tenantId: string): Promise<Excess[]> {
    const { usage, ...view } = await this.plans.read(tenantId);
    return LIMITED.flatMap(([figure, name]) => {
      const [used, limit] = [usage[figure], view[name]];
      return limit !== null && used > limit ? [{ figure, used, limit }] : [];
    });
  }
}
