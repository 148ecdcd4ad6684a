import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { CONFIG, type Config } from '../platform/config/config';
import { Database } from '../platform/database/database';
import { Jobs } from '../platform/jobs/jobs';
import { Mailer } from '../platform/mail/mailer';
import { AppointmentInvitations, type AppointmentMailJob, MAIL_QUEUE } from './appointment-invitations';
import { type MailedAppointment, appointmentMessage } from './appointment-message';
import type { AppointmentStatus } from './appointment.machine';

type Row = MailedAppointment & { status: AppointmentStatus };

const MAILED = `SELECT a.id, a.title, a.starts_at, a.ends_at, a.status, a.sequence, u.name AS agent, l.token,
    t.name AS company, t.language, t.timezone, t.primary_color, t.logo_url
  FROM appointments a JOIN tenants t ON t.id = a.tenant_id JOIN users u ON u.id = a.user_id
    LEFT JOIN access_links l ON l.id = a.access_link_id
  WHERE a.tenant_id = $1 AND a.id = $2 AND t.suspended_at IS NULL`;

/** Mails to the customers of appointments. */
@Injectable()
export class AppointmentMails implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly invitations: AppointmentInvitations,
    private readonly mailer: Mailer,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<AppointmentMailJob>(MAIL_QUEUE, (job) => this.mail(job));
  }

  private async mail(job: AppointmentMailJob): Promise<void> {
    const { tenant_id, appointment_id, kind, sequence } = job;
    const appointment = await this.database.tenant(tenant_id, (tx) =>
      tx.one<Row>(MAILED, [tenant_id, appointment_id]),
    );
    const now = this.clock.now();
    if (!appointment || isOutOfDate(appointment, job, now)) return;
    const recipient = this.invitations.recipientOf(job);
    const version = { ...appointment, sequence };
    await this.mailer.deliver(appointmentMessage(version, kind, recipient, this.config, now));
  }
}

/** Whether something has happened since that a newer mail tells of, or that leaves nothing to tell. */
function isOutOfDate(
  { status, sequence, starts_at, ends_at }: Row,
  job: AppointmentMailJob,
  now: Date,
): boolean {
  if (job.kind === 'cancellation') return false;
  const isOver = now >= (job.kind === 'reminder' ? starts_at : ends_at);
  return status !== 'confirmed' || sequence !== job.sequence || isOver;
}
