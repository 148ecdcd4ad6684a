import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { notFound } from '../platform/http/errors/api-error';
import { monthOf } from '../plans/period';
import { type PlanName, planInForce, type SubscriptionStatus } from '../plans/plan-catalogue';
import { UsageRegistry, type UsageFigures } from '../plans/usage-registry';
import type { PlanDto } from './plan.dto';

interface SubscriptionRow {
  plan: PlanName;
  status: SubscriptionStatus;
  current_period_start: string | null;
  current_period_end: string | null;
  grace_deadline: string | null;
}

/** Instances of the former release write `canceled`. */
const STATUS = `CASE status WHEN 'canceled' THEN 'cancelled' ELSE status END`;

/** Reads a tenant's plan, limits and usage for the billing page. */
@Injectable()
export class PlanView {
  constructor(
    private readonly database: Database,
    private readonly usage: UsageRegistry,
    private readonly clock: Clock,
  ) {}

  /** @throws 404 */
  async read(tenantId: string): Promise<PlanDto> {
    const now = this.clock.now();
    const month = monthOf(now);
    const [[subscription], [usage]] = await this.database.readTenant<[SubscriptionRow, UsageFigures]>(
      tenantId,
      [
        {
          text: `SELECT plan, ${STATUS} AS status, current_period_start, current_period_end, grace_deadline
               FROM subscriptions WHERE tenant_id = $1`,
          values: [tenantId],
        },
        this.usage.statement(tenantId, month.start, now),
      ],
    );
    if (!subscription || !usage) throw notFound('Tenant');
    const { plan, status, current_period_start, current_period_end } = subscription;
    const grace_deadline = subscription.grace_deadline ? new Date(subscription.grace_deadline) : null;
    const { limits, features } = planInForce({ plan, status, grace_deadline }, now);
    const { active_users, active_departments, active_links } = usage;
    const { calls_this_month, recording_storage_mb, storage_mb } = usage;
    return {
      plan,
      status,
      ...limits,
      recording_enabled: features.includes('recording'),
      transcription_enabled: features.includes('transcription'),
      analytics_enabled: features.includes('full_analytics'),
      // A plan without payments has the calendar month as its period.
      current_period_start: current_period_start ?? month.start.toISOString(),
      current_period_end: current_period_end ?? month.end.toISOString(),
      usage: {
        active_users,
        active_departments,
        active_links,
        calls_this_month,
        recording_storage_mb,
        storage_mb,
      },
    };
  }
}
