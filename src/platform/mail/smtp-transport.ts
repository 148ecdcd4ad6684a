import { createTransport } from 'nodemailer';
import type { SendMailOptions } from 'nodemailer';
import { isPermanentFailure, MailRejectedError, describeSmtpFailure } from './mail-rejected-error';
import type { MailTransport } from './mail-transport';

/** In ms: to be connected, to be greeted, and between two signs of life. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Sends over an SMTP server (RFC 5321), on connections that are kept for further messages. */
export class SmtpTransport implements MailTransport {
  private readonly pool;

  /** @param url smtp:// or smtps://; options of nodemailer in its query come before ours. */
  constructor(url: string) {
    this.pool = createTransport({
      url,
      pool: true,
      ...TIMEOUTS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** @throws MailRefused, or what nodemailer throws if another attempt may succeed */
  async send(message: SendMailOptions): Promise<void> {
    try {
      await this.pool.sendMail(message);
    } catch (error) {
      throw isPermanentFailure(error) ? new MailRejectedError(describeSmtpFailure(error)) : error;
    }
  }

  /** Messages under way are still sent. */
  close(): void {
    this.pool.close();
  }
}
