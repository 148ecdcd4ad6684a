import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { composeMail } from '../../platform/mail/compose-mail';
import { mailLanguage } from '../../platform/mail/mail-language';
import { Mailer } from '../../platform/mail/mailer';
import { absoluteLogoUrl } from '../../tenancy/logo-url';
import type { MailRecipient } from './addressee';
import type { MailText } from '../password-reset/password-mail.texts';

/** Mails that a tenant's staff get, in its language and under its name. */
@Injectable()
export class StaffMail {
  constructor(
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * For the handler of a durable job.
   * @param url where the text's action leads
   * @returns false for a message that was refused for good; throws what is worth another try
   */
  deliver(addressee: MailRecipient, text: MailText, url?: string): Promise<boolean> {
    const { name, email, company, language, primary_color, logo_url } = addressee;
    const { subject, paragraphs, footnote, action } = text;
    const mail = composeMail({
      language: mailLanguage(language),
      brand: { name: company, primary_color, logo_url: absoluteLogoUrl(logo_url, this.config.publicUrl) },
      subject,
      paragraphs,
      action: action && url ? { label: action, url } : undefined,
      footnote,
    });
    return this.mailer.deliver({ to: { name, address: email }, ...mail });
  }
}
