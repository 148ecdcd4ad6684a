import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { foldEmail } from '../../platform/rate-limit/account-key';
import { withoutInvisible } from '../../platform/text/invisible';

const GMAIL_DOMAINS = new Set(['gmail.com', 'googlemail.com']);

/**
 * One text for the addresses that lead to one mailbox. Most providers ignore what follows a plus sign, Gmail also dots. It tells
 * some mailboxes not apart, such as those of names with and without accents.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const given = withoutInvisible(email.slice(at + 1)).trim();
  const domain = domainToASCII(given) || foldEmail(given).toLowerCase();
  const local = foldEmail(email.slice(0, at)).toLowerCase().replaceAll(/["\\]/g, '').replace(/\+.*$/s, '');
  const isGmail = GMAIL_DOMAINS.has(domain);
  return isGmail ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`;
}

/** Stands for the mailbox of an e-mail address in the key of a counter of mails. */
export const emailHash = (email: string): string =>
  createHash('sha256').update(mailboxOf(email)).digest('base64url');
