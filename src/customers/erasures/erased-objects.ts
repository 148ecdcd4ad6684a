import type { Transaction } from '../../platform/database/transaction';

/** Objects of an erasure. */
export interface ObjectTotals {
  count: number;
  bytes: number;
}

/**
 * From now on, the objects whose records the transaction deletes belong to the erasure. They remain in the ledger until
 * the sweep has deleted them from the storage.
 */
export async function claimErasedObjects(tx: Transaction, erasureId: string): Promise<void> {
  await tx.query(`SELECT set_config('app.erasure_id', $1, true)`, [erasureId]);
}

/** The objects of the erasure that have not been deleted from the storage yet. */
export async function countErasedObjects(tx: Transaction, erasureId: string): Promise<ObjectTotals> {
  const totals = await tx.one<ObjectTotals>(
    `SELECT count(*)::int AS count, COALESCE(sum(bytes), 0)::float8 AS bytes
     FROM stored_objects WHERE discard_at IS NOT NULL AND erasure_id = $1`,
    [erasureId],
  );
  return totals ?? { count: 0, bytes: 0 };
}
