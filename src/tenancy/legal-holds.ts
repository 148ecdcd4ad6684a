import type { Transaction } from '../platform/database/transaction';

/**
 * SQL conditions that keep the rows of legal holds: a purge that selects its candidates with one of them skips what is
 * held, also within its LIMIT. Otherwise held rows would fill every batch.
 */

/** For rows about no customer: no hold of the whole tenant. @param tenant SQL of the row's tenant */
export const notHeld = (tenant: string): string =>
  `NOT EXISTS (SELECT FROM legal_holds h WHERE h.tenant_id = ${tenant} AND h.customer_id IS NULL)`;

/** For rows of a customer: no hold of the tenant or of the customer. @param customer SQL of the row's customer or NULL */
export const customerNotHeld = (tenant: string, customer: string): string =>
  `NOT EXISTS (SELECT FROM legal_holds h
     WHERE h.tenant_id = ${tenant} AND (h.customer_id IS NULL OR h.customer_id = ${customer}))`;

/** For rows that may be about a customer, but do not tell by an index about which: no hold within the tenant. */
export const nothingHeld = (tenant: string): string =>
  `NOT EXISTS (SELECT FROM legal_holds h WHERE h.tenant_id = ${tenant})`;

export interface LegalHold {
  id: string;
  tenant_id: string;
  /** Null for a hold of the whole tenant. */
  customer_id: string | null;
  reason: string;
  inserted_at: Date;
}

/** The tenant and the customer must be locked. @returns whether there was none yet */
export async function insertHold(tx: Transaction, hold: LegalHold): Promise<boolean> {
  const inserted = await tx.query(
    `INSERT INTO legal_holds (id, tenant_id, customer_id, reason, inserted_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING id`,
    [hold.id, hold.tenant_id, hold.customer_id, hold.reason, hold.inserted_at],
  );
  return inserted.length > 0;
}

/** @returns the id of the hold; undefined if there was none */
export async function deleteHold(
  tx: Transaction,
  { tenant_id, customer_id }: Pick<LegalHold, 'tenant_id' | 'customer_id'>,
): Promise<string | undefined> {
  const deleted = await tx.query<{ id: string }>(
    'DELETE FROM legal_holds WHERE tenant_id = $1 AND customer_id IS NOT DISTINCT FROM $2 RETURNING id',
    [tenant_id, customer_id],
  );
  return deleted[0]?.id;
}
