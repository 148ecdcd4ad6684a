import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { TenantsService } from '../tenancy/tenants.service';
import { enterTenant } from './find-tenant';

export interface SuspensionResult {
  tenant: string;
  suspended: boolean;
  /** False when it was so already. */
  changed: boolean;
}

@Injectable()
export class TenantSuspension {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantsService,
  ) {}

  /** Shuts a tenant out, or lets it in again. @throws Refusal */
  set(which: string, suspended: boolean): Promise<SuspensionResult> {
    return this.database.system(async (tx) => {
      const { id, slug } = await enterTenant(tx, which);
      const changed = await (suspended ? this.tenants.suspend(tx, id) : this.tenants.resume(tx, id));
      return { tenant: slug, suspended, changed };
    });
  }
}
