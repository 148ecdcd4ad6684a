import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { Jobs } from '../../platform/jobs/jobs';
import { Mailer } from '../../platform/mail/mailer';
import { AppointmentMailQueue, type AppointmentMailJob, MAIL_QUEUE } from './appointment-mail-queue';
import { type MailedAppointment, composeAppointmentMail } from './compose-appointment-mail';
import type { AppointmentStatus } from '../appointment.machine';

type MailedRow = MailedAppointment & { status: AppointmentStatus };

const SELECT_MAILED = `SELECT a.id, a.title, a.starts_at, a.ends_at, a.status, a.sequence, u.name AS agent, l.token,
    t.name AS company, t.language, t.timezone, t.primary_color, t.logo_url
  FROM appointments a JOIN tenants t ON t.id = a.tenant_id JOIN users u ON u.id = a.user_id
    LEFT JOIN access_links l ON l.id = a.access_link_id
  WHERE a.tenant_id = $1 AND a.id = $2 AND t.suspended_at IS NULL`;

/** Sends the enqueued mails to the customers of appointments. */
@Injectable()
export class AppointmentMailWorker implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly queue: AppointmentMailQueue,
    private readonly mailer: Mailer,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<AppointmentMailJob>(MAIL_QUEUE, (job) => this.send(job), { isOutbound: true });
  }

  private async send(job: AppointmentMailJob): Promise<void> {
    const { tenant_id, appointment_id, kind, sequence } = job;
    const appointment = await this.database.tenant(tenant_id, (tx) =>
      tx.one<MailedRow>(SELECT_MAILED, [tenant_id, appointment_id]),
    );
    const now = this.clock.now();
    if (!appointment || isOutdated(appointment, job, now)) return;
    const recipient = this.queue.openRecipient(job);
    const version = { ...appointment, sequence };
    await this.mailer.deliver(composeAppointmentMail(version, kind, recipient, this.config, now));
  }
}

/** Whether a newer mail supersedes this one, or the appointment is over. */
function isOutdated(
  { status, sequence, starts_at, ends_at }: MailedRow,
  job: AppointmentMailJob,
  now: Date,
): boolean {
  if (job.kind === 'cancellation') return false;
  const isOver = now >= (job.kind === 'reminder' ? starts_at : ends_at);
  return status !== 'confirmed' || sequence !== job.sequence || isOver;
}
