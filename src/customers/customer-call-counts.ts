import type { Transaction } from '../platform/database/transaction';

/**
 * Adds the duplicates' call_count to the primary's and keeps the latest last_call_at. The caller has locked all of
 * them, so no call is counted meanwhile, and deletes the duplicates afterwards.
 */
export async function addDuplicateCallCounts(
  tx: Transaction,
  tenantId: string,
  primaryId: string,
  duplicateIds: string[],
): Promise<void> {
  await tx.query(
    `UPDATE customers SET (call_count, last_call_at) =
       (SELECT sum(call_count), max(last_call_at) FROM customers WHERE tenant_id = $1 AND id = ANY ($3))
     WHERE tenant_id = $1 AND id = $2`,
    [tenantId, primaryId, [primaryId, ...duplicateIds]],
  );
}
