import type { Transaction } from '../../platform/database/transaction';
import { withoutUrls } from '../../platform/mail/without-urls';

/** A user who is sent a mail, and the tenant whose name and branding the mail has. */
export interface MailRecipient {
  name: string;
  email: string;
  has_password: boolean;
  /** Whether the user has followed a link that was mailed to this address. */
  is_address_confirmed: boolean;
  company: string;
  slug: string;
  language: string;
  primary_color: string;
  logo_url: string | null;
}

/**
 * Reads the user and locks their row, so that the address cannot change until the transaction ends. Names are returned
 * without URLs: managers of a tenant can invite any address under any name.
 * @returns undefined when the user is not active or the tenant is suspended
 */
export async function lockMailRecipient(tx: Transaction, userId: string): Promise<MailRecipient | undefined> {
  const found = await tx.one<MailRecipient>(
    `SELECT u.name, u.email, u.password_hash IS NOT NULL AS has_password,
       u.email_confirmed_at IS NOT NULL AS is_address_confirmed, t.name AS company, t.slug,
       t.language, t.primary_color, t.logo_url
     FROM users u JOIN tenants t ON t.id = u.tenant_id
     WHERE u.id = $1 AND u.active AND t.suspended_at IS NULL FOR NO KEY UPDATE OF u`,
    [userId],
  );
  return found && { ...found, name: withoutUrls(found.name), company: withoutUrls(found.company) };
}
