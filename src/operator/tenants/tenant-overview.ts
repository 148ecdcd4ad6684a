import { Injectable } from '@nestjs/common';
import type { PlanDto } from '../../billing/plan.dto';
import { PlanView } from '../../billing/plan-view';
import { Database } from '../../platform/database/database';
import { notFound } from '../../platform/http/errors/api-error';
import { searchPattern } from '../../platform/text/search-pattern';
import type { PlanName, SubscriptionStatus } from '../../plans/plan-catalogue';
import { scopeToTenant } from './scope-to-tenant';

export interface TenantListItem {
  id: string;
  slug: string;
  name: string;
  plan: PlanName;
  status: SubscriptionStatus;
  suspended: boolean;
  /** Number of active users, as counted for the plan's limit. */
  users: number;
  inserted_at: string;
}

interface Owner {
  id: string;
  name: string;
  email: string;
  active: boolean;
}

interface TenantData {
  id: string;
  slug: string;
  name: string;
  document: string | null;
  document_type: string | null;
  suspended_at: string | null;
  inserted_at: string;
}

export type TenantDetails = TenantData & PlanDto & { owners: Owner[] };

/** Lists and shows tenants for the operator. */
@Injectable()
export class TenantOverview {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanView,
  ) {}

  /** @param search part of the name, slug or document */
  async list(search?: string): Promise<TenantListItem[]> {
    const [tenants] = await this.database.readSystem<[TenantListItem]>([
      {
        text: `SELECT t.id, t.slug, t.name, s.plan, s.status, t.suspended_at IS NOT NULL AS suspended,
            (SELECT count(*)::int FROM users u WHERE u.tenant_id = t.id AND u.active) AS users, t.inserted_at
          FROM tenants t JOIN subscriptions s ON s.tenant_id = t.id
          WHERE $1::text IS NULL OR t.name ILIKE $1 OR t.slug ILIKE $1 OR t.document ILIKE $1
          ORDER BY t.inserted_at, t.id`,
        values: [searchPattern(search)],
      },
    ]);
    return tenants;
  }

  /** @throws CommandError if there is no such tenant */
  async show(slugOrId: string): Promise<TenantDetails> {
    const { id } = await this.database.system((tx) => scopeToTenant(tx, slugOrId));
    const plan = await this.plans.read(id);
    const [[tenant], owners] = await this.database.readTenant<[TenantData, Owner]>(id, [
      {
        text: `SELECT id, slug, name, document, document_type, suspended_at, inserted_at FROM tenants
               WHERE id = $1`,
        values: [id],
      },
      {
        text: `SELECT id, name, email, active FROM users WHERE tenant_id = $1 AND role = 'owner'
               ORDER BY inserted_at, id`,
        values: [id],
      },
    ]);
    if (!tenant) throw notFound('Tenant');
    return { ...tenant, ...plan, owners };
  }
}
