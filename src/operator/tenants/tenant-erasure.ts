import { Injectable } from '@nestjs/common';
import { escapeIdentifier } from 'pg';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { ErasureRecords } from '../../customers/erasure-records';
import { TenantsService } from '../../tenancy/tenants.service';
import { scopeToTenant } from './scope-to-tenant';
import { CommandError } from '../command-error';

export interface ErasureResult {
  tenant: string;
  /** Number of deleted rows by table; tables without any are left out. */
  deleted: Record<string, number>;
}

/** Tables whose rows are deleted with their tenant. Records of erasures outlive it. */
const TENANT_TABLES = `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'tenant_id'
    AND NOT a.attisdropped AND c.relname <> 'erasures' ORDER BY c.relname`;

/** Erases tenants. */
@Injectable()
export class TenantErasure {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantsService,
    private readonly records: ErasureRecords,
  ) {}

  /**
   * Deletes a tenant with all of its rows. This cannot be undone.
   * @param confirm the tenant's slug
   * @throws CommandError if there is no such tenant or `confirm` differs; nothing is deleted then
   */
  erase(slugOrId: string, confirm: string): Promise<ErasureResult> {
    return this.database.system(async (tx) => {
      const { id, slug } = await scopeToTenant(tx, slugOrId);
      if (confirm !== slug) {
        throw new CommandError(`Nothing was deleted: --confirm must be the tenant's slug, ${slug}.`);
      }
      await this.records.record(tx, { kind: 'tenant', tenant_id: id, subject_ids: [id] });
      return { tenant: slug, deleted: await this.delete(tx, id) };
    });
  }

  /**
   * Erases the tenants again that were erased before, and that the database has because it was restored.
   * @returns their number
   */
  async repeat(): Promise<number> {
    const found = await this.database.system((tx) =>
      tx.query<{ id: string }>(
        `SELECT id FROM tenants t WHERE EXISTS (SELECT FROM erasures e WHERE e.tenant_id = t.id AND e.kind = 'tenant')`,
      ),
    );
    for (const { id } of found) {
      await this.database.system(async (tx) => this.delete(tx, (await scopeToTenant(tx, id)).id));
    }
    return found.length;
  }

  private async delete(tx: Transaction, id: string): Promise<Record<string, number>> {
    await this.tenants.lock(tx, id);
    const deleted = await this.countRows(tx, id);
    // The service's role may not delete the audit log; the role that it logs in with may.
    await tx.query('SET LOCAL ROLE NONE');
    await tx.query('DELETE FROM tenants WHERE id = $1', [id]);
    return deleted;
  }

  private async countRows(tx: Transaction, tenantId: string): Promise<Record<string, number>> {
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
