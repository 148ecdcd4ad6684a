import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { composeMail } from '../../platform/mail/compose-mail';
import { mailLanguage } from '../../platform/mail/mail-language';
import { Mailer } from '../../platform/mail/mailer';
import { absolutePictureUrl } from '../../platform/pictures/picture-url';
import type { MailRecipient } from './mail-recipient';
import type { MailText } from './mail-text';

/** Sends mail to a tenant's staff, in the tenant's language and branding. */
@Injectable()
export class StaffMail {
  constructor(
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Sends one mail. Call it from the handler of a durable job.
   * @param url target of the text's action button
   * @returns false when the mail server permanently refused the message
   * @throws for temporary failures, so that the job is retried
   */
  deliver(recipient: MailRecipient, text: MailText, url?: string): Promise<boolean> {
    const { name, email, company, language, primary_color, logo_url } = recipient;
    const { subject, paragraphs, footnote, action } = text;
    const mail = composeMail({
      language: mailLanguage(language),
      brand: { name: company, primary_color, logo_url: absolutePictureUrl(logo_url, this.config.publicUrl) },
      service: new URL(this.config.publicUrl).host,
      subject,
      paragraphs,
      action: action && url ? { label: action, url } : undefined,
      footnote,
    });
    return this.mailer.deliver({ to: { name, address: email }, ...mail });
  }
}
