import type { Transaction } from '../../platform/database/transaction';
import { type MailLanguage, mailLanguage } from '../../tenancy/mail/mail-language';
import { withoutUrls } from '../../tenancy/mail/without-urls';

/** A user who is sent a mail, and the tenant whose name and branding the mail has. */
export interface MailRecipient {
  name: string;
  email: string;
  has_password: boolean;
  /** Whether the user has followed a link that was mailed to this address. */
  is_address_confirmed: boolean;
  company: string;
  slug: string;
  /** Null where the company's own texts are not mailed yet. */
  mailed_slug: string | null;
  language: string;
  primary_color: string;
  logo_url: string | null;
}

/** Stands for a company that anybody can have registered, with any text as its name. */
const NEW_COMPANY: Record<MailLanguage, string> = {
  pt: 'Empresa nova',
  en: 'New company',
  es: 'Empresa nueva',
};

/** Short, and without a phone number. */
const isPlainName = (name: string): boolean =>
  /^[\p{L}\p{M}\p{Nd} &'’.,-]{1,30}$/u.test(name) && (name.match(/\p{Nd}/gu) ?? []).length <= 4;

/**
 * Reads the user and locks their row, so that the address cannot change until the transaction ends. The company's name is
 * returned without URLs; until an owner has confirmed an address it must also be plain, since strangers choose both.
 * @returns undefined when the user is not active or the tenant is suspended
 */
export async function lockMailRecipient(tx: Transaction, userId: string): Promise<MailRecipient | undefined> {
  const found = await tx.one<Omit<MailRecipient, 'mailed_slug'> & { is_company_confirmed: boolean }>(
    `SELECT u.name, u.email, u.password_hash IS NOT NULL AS has_password,
       u.email_confirmed_at IS NOT NULL AS is_address_confirmed, t.name AS company, t.slug,
       t.language, t.primary_color, t.logo_url, t.email_confirmed_at IS NOT NULL AS is_company_confirmed
     FROM users u JOIN tenants t ON t.id = u.tenant_id
     WHERE u.id = $1 AND u.active AND t.suspended_at IS NULL FOR NO KEY UPDATE OF u`,
    [userId],
  );
  if (!found) return undefined;
  const { is_company_confirmed, ...recipient } = found;
  const company = withoutUrls(found.company);
  if (is_company_confirmed || isPlainName(company)) return { ...recipient, company, mailed_slug: found.slug };
  return { ...recipient, company: NEW_COMPANY[mailLanguage(found.language)], mailed_slug: null };
}
