import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { composeMail } from '../../tenancy/mail/compose-mail';
import { mailLanguage } from '../../tenancy/mail/mail-language';
import { Mailer } from '../../platform/mail/mailer';
import { emailHash } from '../../tenancy/mail/mailbox';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter';
import { absolutePictureUrl } from '../../tenancy/pictures/picture-url';
import type { MailRecipient } from './mail-recipient';
import type { MailText } from './mail-text';

/** Sends mail to a tenant's staff, in the tenant's language and branding. */
@Injectable()
export class StaffMail {
  private readonly logger = new Logger(StaffMail.name);

  constructor(
    private readonly mailer: Mailer,
    private readonly rateLimiter: RateLimiter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Sends one mail. Call it from the handler of a durable job. An unconfirmed address gets ten mails a day:
   * anybody can register companies with it and have links mailed.
   * @param url target of the text's action button
   * @returns false when the mail server permanently refused the message, or the address has got too many
   * @throws for temporary failures, so that the job is retried
   */
  async deliver(recipient: MailRecipient, text: MailText, url?: string): Promise<boolean> {
    if (recipient.is_address_confirmed) return this.send(recipient, text, url);
    const key = emailHash(recipient.email);
    if (!(await this.rateLimiter.admits('unconfirmed_address', key))) {
      this.logger.warn(
        'A mail was not sent, because its address, which is not confirmed, got too many today.',
      );
      return false;
    }
    let delivered = false;
    try {
      delivered = await this.send(recipient, text, url);
    } finally {
      if (!delivered) await this.rateLimiter.giveBack('unconfirmed_address', key, 1);
    }
    return delivered;
  }

  private send(recipient: MailRecipient, text: MailText, url?: string): Promise<boolean> {
    const { name, email, company, language, primary_color, logo_url } = recipient;
    const { subject, paragraphs, footnote, action } = text;
    const mail = composeMail({
      to: { name, address: email },
      language: mailLanguage(language),
      brand: { name: company, primary_color, logo_url: absolutePictureUrl(logo_url, this.config.publicUrl) },
      service: new URL(this.config.publicUrl).host,
      subject,
      paragraphs,
      action: action && url ? { label: action, url } : undefined,
      footnote,
    });
    return this.mailer.deliver(mail);
  }
}
