import { createTransport } from 'nodemailer';
import type { SendMailOptions } from 'nodemailer';
import { isPermanentFailure, MailRejectedError, describeSmtpFailure } from './mail-rejected-error';
import type { MailTransport } from './mail-transport';

/** Milliseconds: to connect, until the greeting, and of silence. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Sends messages to an SMTP server (RFC 5321) over a pool of connections. */
export class SmtpTransport implements MailTransport {
  private readonly pool;

  /** @param url smtp:// or smtps://; nodemailer's options in its query override the ones here */
  constructor(url: string) {
    this.pool = createTransport({
      url,
      pool: true,
      ...TIMEOUTS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** @throws MailRejectedError, or nodemailer's error if a retry may succeed */
  async send(message: SendMailOptions): Promise<void> {
    try {
      await this.pool.sendMail(message);
    } catch (error) {
      throw isPermanentFailure(error) ? new MailRejectedError(describeSmtpFailure(error)) : error;
    }
  }

  /** Messages that are being sent are completed first. */
  close(): void {
    this.pool.close();
  }
}
