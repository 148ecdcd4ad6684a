import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { settleAll } from '../platform/database/settle-all';
import type { Transaction } from '../platform/database/transaction';
import { notFound, planLimit } from '../platform/http/errors/api-error';
import { TenantsService } from '../tenancy/tenants.service';
import { largerPlanHint, PLAN_NAMES, PLANS, type CountLimit, type Plan, planInForce } from './plan-catalogue';
import { Subscription } from './subscription.entity';

const LIMIT_NOUNS: Record<CountLimit, { one: string; many: string }> = {
  max_concurrent_calls: { one: 'call at a time', many: 'calls at the same time' },
  max_users: { one: 'active user', many: 'active users' },
  max_departments: { one: 'department', many: 'departments' },
  max_webhooks: { one: 'webhook', many: 'webhooks' },
  max_active_links: { one: 'active access link', many: 'active access links' },
};

/** A row as `readTenant` returns it, with times as text. */
type SubscriptionRow = Pick<Subscription, 'plan' | 'status'> & { grace_deadline: string | null };

/** Reads the subscriptions of tenants, and enforces the limits of their plans. */
@Injectable()
export class SubscriptionsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly tenants: TenantsService,
  ) {}

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
   * Checks that one more is within the limit of the plan, or `added` more. Holds the tenant's lock until the transaction
   * ends, so that two transactions cannot both use the last one that is left.
   * @param count returns the present number; it is called under the lock. It gets the highest number that is allowed: an
   *   upper bound will do if it is not higher
   * @throws 403 plan_limit
   */
  async ensureWithinLimit(
    tx: Transaction,
    tenantId: string,
    limit: CountLimit,
    count: (allowed: number) => Promise<number>,
    added = 1,
  ): Promise<void> {
    const [, refusal] = await settleAll([
      this.tenants.lock(tx, tenantId),
      this.refusalOf(tx, tenantId, limit, count, added),
    ]);
    if (refusal) throw refusal;
  }

  /**
   * As ensureWithinLimit, for callers that have called lockLimitIf and learn only later whether they need one more.
   * @returns the error 403 plan_limit if there must not be one more, otherwise undefined
   */
  async refusalOf(
    tx: Transaction,
    tenantId: string,
    limit: CountLimit,
    count: (allowed: number) => Promise<number>,
    added = 1,
  ): Promise<Error | undefined> {
    const plan = await this.planInForce(tx, tenantId, 'FOR SHARE');
    const max = plan.limits[limit];
    if (max === null) return undefined;
    // The tenant is locked already, unless the plan has changed since.
    const [, used] = await settleAll([this.tenants.lock(tx, tenantId), count(max - added)]);
    return used + added <= max ? undefined : limitReached(plan, limit, max, used + added - 1);
  }
}

function limitReached(plan: Plan, limit: CountLimit, max: number, used: number) {
  return planLimit(
    `The plan ${plan.name} allows ${max} ${LIMIT_NOUNS[limit][max === 1 ? 'one' : 'many']}.` +
      largerPlanHint(limit, used),
  );
}
