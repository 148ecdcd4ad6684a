import type { Transaction } from '../../platform/database/transaction';

/** A user who is sent a mail, and the tenant whose name and branding the mail has. */
export interface MailRecipient {
  name: string;
  email: string;
  has_password: boolean;
  company: string;
  slug: string;
  language: string;
  primary_color: string;
  logo_url: string | null;
}

/**
 * Reads the user and locks their row, so that the address cannot change until the transaction ends.
 * @returns undefined when the user is not active or the tenant is suspended
 */
export function lockMailRecipient(tx: Transaction, userId: string): Promise<MailRecipient | undefined> {
  return tx.one<MailRecipient>(
    `SELECT u.name, u.email, u.password_hash IS NOT NULL AS has_password, t.name AS company, t.slug,
       t.language, t.primary_color, t.logo_url
     FROM users u JOIN tenants t ON t.id = u.tenant_id
     WHERE u.id = $1 AND u.active AND t.suspended_at IS NULL FOR NO KEY UPDATE OF u`,
    [userId],
  );
}
