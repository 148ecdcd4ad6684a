import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../clock/clock';
import { CONFIG, type Config } from '../config/config';
import { MailRefused, reasonOf } from './mail-refused';
import { MAIL_TRANSPORT, type MailTransport } from './mail-transport';
import { toSingleLine } from '../text/single-line';

export interface MailMessage {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** An iCalendar object (RFC 5545) that mail readers offer to enter into, or take off, the calendar (RFC 6047). */
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string };
}

/** RFC 3834, and what Exchange goes by: nobody's holiday note answers, while failures are still reported. */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' };

/** Sends mail: over SMTP_URL, or into DATA_DIR/mail without it. */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly logger = new Logger('Mail');

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(MAIL_TRANSPORT) private readonly transport: MailTransport,
    private readonly clock: Clock,
  ) {}

  /**
   * One attempt. It may take as long as the server's timeouts: call it from a durable job, not from a request.
   * @throws MailRefused for a recipient or message refused for good; whatever else is worth another attempt
   */
  async send({ to, subject, text, html, calendar }: MailMessage): Promise<void> {
    await this.transport.send({
      from: this.config.mailFrom,
      to: { name: toSingleLine(to.name), address: to.address },
      subject: toSingleLine(subject),
      text,
      html,
      ...(calendar && { icalEvent: { ...calendar, filename: 'invite.ics' } }),
      messageId: `<${randomUUID()}@${this.config.mailDomain}>`,
      date: this.clock.now(),
      headers: AUTOMATIC,
      xMailer: false,
    });
  }

  /**
   * As `send`, for the handler of a durable job: a message refused for good ends the job, whatever else
   * failed is thrown, so that the job is tried again. Either is logged.
   * @returns whether the message was sent
   */
  async deliver(message: MailMessage): Promise<boolean> {
    const failure: unknown = await this.send(message).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) return true;
    if (failure instanceof MailRefused) {
      this.logger.warn(failure.message);
      return false;
    }
    const problem = `A message could not be sent this time (${reasonOf(failure)})`;
    this.logger.warn(problem);
    // The job keeps what is thrown, and the server's own words like to repeat the recipient's address.
    throw new Error(problem);
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }
}
