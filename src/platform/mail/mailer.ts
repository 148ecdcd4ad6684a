import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Clock } from '../clock/clock';
import { CONFIG, type Config } from '../config/config';
import { Metrics } from '../metrics/metrics';
import { describeSmtpFailure, MailRejectedError, type MailTransport, mailTransport } from './mail-transport';
import { toSingleLine } from '../text/single-line';

export interface MailMessage {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /**
   * An iCalendar object (RFC 5545) that mail clients offer to add to or remove from the calendar (RFC 6047).
   */
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string };
}

/** Suppress automatic replies (RFC 3834, and Exchange's own header), but not delivery failures. */
const AUTOMATIC_HEADERS = {
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'OOF, AutoReply',
};

/** Sends mail over SMTP_URL, or writes it to DATA_DIR/mail if that is not set. */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly logger = new Logger('Mail');
  private readonly transport: MailTransport;
  private readonly failures: Counter;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    { registry }: Metrics,
  ) {
    this.transport = mailTransport(config);
    this.failures = new Counter({
      name: 'vcq_mail_failures_total',
      help: 'Attempts to send a mail that failed, whether or not they are repeated',
      registers: [registry],
    });
  }

  /**
   * Attempts to send a message once. This can take as long as the SMTP timeouts, so call it from a job, not
   * from a request.
   * @throws MailRejectedError if the recipient or the message was rejected permanently; other errors may be
   * retried
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
      headers: AUTOMATIC_HEADERS,
      xMailer: false,
    });
  }

  /**
   * As `send`, for the handler of a job: a permanent rejection ends the job, another error is thrown, so that
   * the job is retried. Both are logged.
   * @returns whether the message was sent
   */
  async deliver(message: MailMessage): Promise<boolean> {
    const failure: unknown = await this.send(message).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) return true;
    this.failures.inc();
    if (failure instanceof MailRejectedError) {
      this.logger.warn(failure.message);
      return false;
    }
    const problem = `A message could not be sent in this attempt (${describeSmtpFailure(failure)})`;
    this.logger.warn(problem);
    // The job stores the error, and the server's text often repeats the recipient's address.
    throw new Error(problem);
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }
}
