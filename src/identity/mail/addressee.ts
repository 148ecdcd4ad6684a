import type { Transaction } from '../../platform/database/transaction';

/** Whom a mail goes to, and in whose name. */
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
 * Reads the user behind the lock of their row: who changes the address waits until the transaction is over.
 * @returns undefined when the account is not in use
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
