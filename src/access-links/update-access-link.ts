import type { Transaction } from '../platform/database/transaction';

/** The properties of an appointment's link that change with the appointment; token and creator stay. */
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
 * Changes a link's settings. Its URL and the calls that joined through it stay the same.
 * @returns false for a cancelled link, which is not changed
 */
export async function updateAccessLink(
  tx: Transaction,
  tenantId: string,
  linkId: string,
  settings: AccessLinkSettings,
): Promise<boolean> {
  const changed = await tx.query(
    `UPDATE access_links SET department_id = $3, customer_id = $4, label = $5, valid_from = $6, expires_at = $7,
       priority_from = $8, reserved_user_id = $9
     WHERE tenant_id = $1 AND id = $2 AND cancelled_at IS NULL RETURNING id`,
    [
      tenantId,
      linkId,
      settings.department_id,
      settings.customer_id,
      settings.label,
      settings.valid_from,
      settings.expires_at,
      settings.priority_from,
      settings.reserved_user_id,
    ],
  );
  return changed.length > 0;
}
