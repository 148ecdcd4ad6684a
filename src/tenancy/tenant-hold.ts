import type { Transaction } from '../platform/database/transaction';

/**
 * Whether the whole tenant is held. Waits for a hold that is being added, and keeps further ones from being added until the
 * transaction ends, since no foreign key protects what belongs to a held tenant.
 */
export async function isTenantHeld(tx: Transaction, tenantId: string): Promise<boolean> {
  await tx.query('SELECT FROM tenants WHERE id = $1 FOR SHARE', [tenantId]);
  const hold = await tx.one('SELECT id FROM legal_holds WHERE tenant_id = $1 AND customer_id IS NULL', [
    tenantId,
  ]);
  return hold !== undefined;
}
