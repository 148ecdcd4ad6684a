import type { SendMailOptions } from 'nodemailer';

/** Injection token of the way that messages leave by. */
export const MAIL_TRANSPORT = Symbol('MAIL_TRANSPORT');

export interface MailTransport {
  send(message: SendMailOptions): Promise<void>;
  close(): void;
}
