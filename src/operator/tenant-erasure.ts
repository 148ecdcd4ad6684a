import { Injectable } from '@nestjs/common';
import { escapeIdentifier } from 'pg';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { TenantsService } from '../tenancy/tenants.service';
import { enterTenant } from './find-tenant';
import { Refusal } from './refusal';

export interface ErasureResult {
  tenant: string;
  /** How many rows of each table, those of empty ones left out. */
  deleted: Record<string, number>;
}

/** Every table that says whose its rows are. */
const TENANT_TABLES = `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'tenant_id'
    AND NOT a.attisdropped ORDER BY c.relname`;

@Injectable()
export class TenantErasure {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantsService,
  ) {}

  /**
   * Deletes a tenant with everything that is its own, for good.
   * @param confirm the tenant's slug
   * @throws Refusal, and then nothing was deleted
   */
  erase(which: string, confirm: string): Promise<ErasureResult> {
    return this.database.system(async (tx) => {
      const { id, slug } = await enterTenant(tx, which);
      if (confirm !== slug) {
        throw new Refusal(`Nothing was deleted: --confirm has to be the tenant's slug, ${slug}.`);
      }
      await this.tenants.lock(tx, id);
      const deleted = await this.count(tx, id);
      // The service itself may not do this, lest the audit log go with it: whom it logs in as may.
      await tx.query('SET LOCAL ROLE NONE');
      await tx.query('DELETE FROM tenants WHERE id = $1', [id]);
      return { tenant: slug, deleted };
    });
  }

  private async count(tx: Transaction, tenantId: string): Promise<Record<string, number>> {
    const deleted: Record<string, number> = {};
    for (const { name } of await tx.query<{ name: string }>(TENANT_TABLES)) {
      const found = await tx.one<{ rows: number }>(
        `SELECT count(*)::int AS rows FROM ${escapeIdentifier(name)} WHERE tenant_id = $1`,
        [tenantId],
      );
      if (found?.rows) deleted[name] = found.rows;
    }
    return deleted;
  }
}
