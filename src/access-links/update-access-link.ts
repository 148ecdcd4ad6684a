import type { Transaction } from '../platform/database/transaction';

/** All that a link was made with, but its token and who made it. */
export interface AccessLinkSettings {
  department_id: string;
  customer_id: string | null;
  label: string | null;
  valid_from: Date;
  expires_at: Date;
  priority_from: Date;
  reserved_user_id: string;
}

/**
 * Gives a link other terms; its address stays, and so does whoever came in by it.
 * @returns whether it did: a cancelled link stays as it is
 */
export async function updateAccessLink(
  tx: Transaction,
  tenantId: string,
  linkId: string,
  terms: AccessLinkSettings,
): Promise<boolean> {
  const changed = await tx.query(
    `UPDATE access_links SET department_id = $3, customer_id = $4, label = $5, valid_from = $6, expires_at = $7,
       priority_from = $8, reserved_user_id = $9
     WHERE tenant_id = $1 AND id = $2 AND cancelled_at IS NULL RETURNING id`,
    [
      tenantId,
      linkId,
      terms.department_id,
      terms.customer_id,
      terms.label,
      terms.valid_from,
      terms.expires_at,
      terms.priority_from,
      terms.reserved_user_id,
    ],
  );
  return changed.length > 0;
}
