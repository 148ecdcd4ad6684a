import { Injectable } from '@nestjs/common';
import { escapeIdentifier } from 'pg';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { type ErasureState, ErasureRecords } from '../../customers/erasures/erasure-records';
import { ReceiptKeys } from '../../customers/erasures/receipt-keys';
import { TenantsService } from '../../tenancy/tenants.service';
import { formatStandingHold, holdsOnTenant } from '../privacy/standing-holds';
import { scopeToTenant } from './scope-to-tenant';
import { CommandError } from '../command-error';

export interface ErasureResult extends ErasureState {
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
    private readonly keys: ReceiptKeys,
  ) {}

  /**
   * Deletes a tenant with all of its rows. This cannot be undone.
   * @param confirm the tenant's slug
   * @throws CommandError if there is no such tenant, `confirm` differs or a legal hold prevents it; nothing is deleted then
   */
  async erase(slugOrId: string, confirm: string): Promise<ErasureResult> {
    const signer = await this.keys.signer();
    return this.database.system(async (tx) => {
      const { id, slug } = await scopeToTenant(tx, slugOrId);
      if (confirm !== slug) {
        throw new CommandError(`Nothing was deleted: --confirm must be the tenant's slug, ${slug}.`);
      }
      await ensureNotHeld(tx, id, slug);
      const request = { kind: 'tenant' as const, tenant_id: id, requested_by: 'operator' };
      const {
        result,
        erased_at: _,
        ...state
      } = await this.records.record(tx, signer, request, async () => ({
        subject_ids: [id],
        tables: await this.delete(tx, id),
      }));
      return { tenant: slug, deleted: result.tables, ...state };
    });
  }

  /**
   * Erases the tenants again that were erased before, and that the database has because it was restored.
   * @returns their number
   * @throws CommandError if a legal hold prevents one of these erasures; the others have been repeated then
   */
  async repeat(): Promise<number> {
    const found = await this.database.system((tx) =>
      tx.query<{ id: string; erased_at: Date }>(
        `SELECT t.id, max(e.erased_at) AS erased_at FROM tenants t JOIN erasures e ON e.tenant_id = t.id
         WHERE e.kind = 'tenant' GROUP BY t.id ORDER BY t.id`,
      ),
    );
    const obstacles: string[] = [];
    for (const { id, erased_at } of found) {
      await this.database.system(async (tx) => {
        const tenant = await scopeToTenant(tx, id);
        const holds = await holdsOnTenant(tx, id);
        obstacles.push(...holds.map((hold) => formatStandingHold(erased_at.toISOString(), hold)));
        if (holds.length === 0) await this.delete(tx, tenant.id);
      });
    }
    if (obstacles.length > 0) throw new CommandError(obstacles.join('\n'));
    return found.length;
  }

  private async delete(tx: Transaction, id: string): Promise<Record<string, number>> {
    await this.tenants.lock(tx, id);
    const deleted = await this.countRows(tx, id);
    const current = await tx.one<{ role: string }>('SELECT current_user AS role');
    // The service's role may not delete the audit log; the role that it logs in with may.
    await tx.query('SET LOCAL ROLE NONE');
    await tx.query('DELETE FROM tenants WHERE id = $1', [id]);
    await tx.query(`SET LOCAL ROLE ${escapeIdentifier(current?.role ?? '')}`);
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

/** A hold that is added meanwhile makes the deletion fail, too, with a more general error. @throws CommandError */
async function ensureNotHeld(tx: Transaction, id: string, slug: string): Promise<void> {
  const holds = await holdsOnTenant(tx, id);
  if (holds.length === 0) return;
  const earlier = await tx.one<{ erased_at: Date }>(
    `SELECT erased_at FROM erasures WHERE tenant_id = $1 AND kind = 'tenant' ORDER BY erased_at DESC LIMIT 1`,
    [id],
  );
  if (!earlier)
    throw new CommandError(`Nothing was deleted: ${slug} is under a legal hold; see hold list ${slug}.`);
  const sentences = holds.map((hold) => formatStandingHold(earlier.erased_at.toISOString(), hold));
  throw new CommandError(`Nothing was deleted. ${sentences.join('\n')}`);
}
