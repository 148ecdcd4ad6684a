import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { TenantsService } from '../../tenancy/tenants.service';
import { scopeToTenant } from './scope-to-tenant';

export interface SuspensionResult {
  tenant: string;
  suspended: boolean;
  /** False if the tenant was already in this state. */
  changed: boolean;
}

/** Suspends and resumes tenants. */
@Injectable()
export class TenantSuspension {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantsService,
  ) {}

  /** @throws CommandError if there is no such tenant */
  set(slugOrId: string, suspended: boolean): Promise<SuspensionResult> {
    return this.database.system(async (tx) => {
      const { id, slug } = await scopeToTenant(tx, slugOrId);
      const changed = await (suspended ? this.tenants.suspend(tx, id) : this.tenants.resume(tx, id));
      return { tenant: slug, suspended, changed };
    });
  }
}
