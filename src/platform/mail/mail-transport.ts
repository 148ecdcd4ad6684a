import type { SendMailOptions } from 'nodemailer';

/** Injection token of the MailTransport. */
export const MAIL_TRANSPORT = Symbol('MAIL_TRANSPORT');

/** Sends composed messages: by SMTP, or into a folder. */
export interface MailTransport {
  send(message: SendMailOptions): Promise<void>;
  close(): void;
}
