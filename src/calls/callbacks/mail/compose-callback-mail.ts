import { DateTime } from 'luxon';
import type { Config } from '../../../platform/config/config';
import { composeMail } from '../../../tenancy/mail/compose-mail';
import { mailLanguage } from '../../../tenancy/mail/mail-language';
import type { MailMessage } from '../../../platform/mail/mailer';
import { withoutUrls } from '../../../tenancy/mail/without-urls';
import { absolutePictureUrl } from '../../../tenancy/pictures/picture-url';
import { CALLBACK_TEXTS } from './callback-mail.texts';

/** What the mail says about a call and the company that sends it. */
export interface MailedCallback {
  email: string;
  customer_name: string;
  department_name: string;
  invited_until: Date;
  company: string;
  language: string;
  timezone: string;
  primary_color: string;
  logo_url: string | null;
}

/** Composes the invitation of a customer to return, in the company's language and time zone. */
export function composeCallbackMail(
  callback: MailedCallback,
  url: string,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): MailMessage {
  const { email, invited_until, timezone, primary_color, logo_url } = callback;
  // Users of the tenant choose these texts.
  const company = withoutUrls(callback.company);
  const department = withoutUrls(callback.department_name);
  const language = mailLanguage(callback.language);
  const until = DateTime.fromJSDate(invited_until, { zone: timezone })
    .setLocale(language)
    .toFormat('HH:mm (ZZZZ)');
  const { subject, paragraphs, action, footnote } = CALLBACK_TEXTS[language]({
    company,
    department,
    until,
  });
  return composeMail({
    to: { name: callback.customer_name, address: email },
    language,
    brand: { name: company, primary_color, logo_url: absolutePictureUrl(logo_url, publicUrl) },
    service: new URL(publicUrl).host,
    subject,
    paragraphs,
    action: { label: action, url },
    footnote,
  });
}
