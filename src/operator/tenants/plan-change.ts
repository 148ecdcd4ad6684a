import { Injectable } from '@nestjs/common';
import { PaymentNotificationsService } from '../../billing/payment-notifications.service';
import { PlanView } from '../../billing/plan-view';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import type { LimitName, PlanName, SubscriptionStatus } from '../../plans/plan-catalogue';
import { SubscriptionWriter } from '../../plans/subscription-writer';
import { SubscriptionsService } from '../../plans/subscriptions.service';
import type { UsageFigure } from '../../plans/usage-registry';
import { scopeToTenant } from './scope-to-tenant';

interface PlanAndStatus {
  plan: PlanName;
  status: SubscriptionStatus;
}

/** A usage figure above its limit. */
interface ExceededLimit {
  figure: UsageFigure;
  used: number;
  limit: number;
}

export interface PlanChangeResult {
  tenant: string;
  before: PlanAndStatus;
  after: PlanAndStatus;
  above_limits: ExceededLimit[];
}

/** Each limited usage figure with its limit; the one of calls is not checked. */
const LIMITED_FIGURES: [UsageFigure, LimitName][] = [
  ['active_users', 'max_users'],
  ['active_departments', 'max_departments'],
  ['active_links', 'max_active_links'],
  ['storage_mb', 'max_storage_mb'],
];

/** Changes the plan of a tenant. Nothing is deleted, even above the new limits. */
@Injectable()
export class PlanChange {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsService,
    private readonly writer: SubscriptionWriter,
    private readonly payments: PaymentNotificationsService,
    private readonly plans: PlanView,
  ) {}

  /**
   * @param pending leaves it to past and future payments whether the plan is in force; otherwise it is, without one
   * @throws CommandError
   */
  async change(slugOrId: string, plan: PlanName, pending: boolean): Promise<PlanChangeResult> {
    const { id, ...change } = await this.database.system(async (tx) => {
      const { id, slug } = await scopeToTenant(tx, slugOrId);
      await this.subscriptions.lockLimits(tx, id);
      const before = await this.planAndStatus(tx, id);
      await this.writer.changePlan(tx, id, plan);
      const isInForce = before.plan === plan && before.status === 'active';
      if (pending || plan === 'free') await this.payments.refreshSubscriptionIn(tx, id);
      else if (!isInForce) await this.payments.grant(tx, id);
      return { id, tenant: slug, before, after: await this.planAndStatus(tx, id) };
    });
    return { ...change, above_limits: await this.exceededLimits(id) };
  }

  private async planAndStatus(tx: Transaction, tenantId: string): Promise<PlanAndStatus> {
    const { plan, status } = await this.subscriptions.get(tx, tenantId);
    return { plan, status };
  }

  private async exceededLimits(tenantId: string): Promise<ExceededLimit[]> {
    const { usage, ...view } = await this.plans.read(tenantId);
    return LIMITED_FIGURES.flatMap(([figure, name]) => {
      const [used, limit] = [usage[figure], view[name]];
      return limit !== null && used > limit ? [{ figure, used, limit }] : [];
    });
  }
}
