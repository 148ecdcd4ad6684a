import type { Config } from '../platform/config/config';
import { composeMail } from '../platform/mail/compose-mail';
import { mailLanguage } from '../platform/mail/mail-language';
import type { MailMessage } from '../platform/mail/mailer';
import { toSingleLine } from '../platform/text/single-line';
import { absoluteLogoUrl } from '../tenancy/logo-url';
import type { AppointmentMailKind, Recipient } from './appointment-invitations';
import { APPOINTMENT_TEXTS, SUMMARIES, whenOf } from './appointment-mail.texts';
import type { Appointment } from './appointment.entity';
import { calendarObject } from './calendar';

/** What a mail says of an appointment, and the company in whose name it goes. */
export interface MailedAppointment extends Pick<
  Appointment,
  'id' | 'title' | 'starts_at' | 'ends_at' | 'sequence'
> {
  agent: string;
  /** Of the appointment's link. */
  token: string | null;
  company: string;
  language: string;
  timezone: string;
  primary_color: string;
  logo_url: string | null;
}

type Sender = Pick<Config, 'publicUrl' | 'mailFrom'>;

/** The mail to one customer, in the company's language and time, with what the customer's calendar needs. */
export function appointmentMessage(
  appointment: MailedAppointment,
  kind: AppointmentMailKind,
  to: Recipient,
  { publicUrl, mailFrom }: Sender,
  now: Date,
): MailMessage {
  const { agent, title, company, token, primary_color, logo_url } = appointment;
  const language = mailLanguage(appointment.language);
  const { when, day } = whenOf(appointment, appointment.timezone, language);
  const words = { company, agent, title, name: to.name, when, day };
  const { subject, paragraphs, action, footnote } = APPOINTMENT_TEXTS[language][kind](words);
  const url = action && token ? `${publicUrl}/call/${token}` : null;
  const mail = composeMail({
    language,
    brand: { name: company, primary_color, logo_url: absoluteLogoUrl(logo_url, publicUrl) },
    subject,
    paragraphs,
    ...(action && url ? { action: { label: action, url } } : {}),
    footnote,
  });
  // A reminder changes nothing that a calendar would have to learn.
  if (kind === 'reminder') return { to, ...mail };
  const calendar = calendarObject({
    uid: appointment.id,
    sequence: appointment.sequence,
    is_cancelled: kind === 'cancellation',
    starts_at: appointment.starts_at,
    ends_at: appointment.ends_at,
    summary: toSingleLine(title ?? SUMMARIES[language](company)),
    description: [...paragraphs.slice(1).map(toSingleLine), ...(url ? [url] : [])].join('\n'),
    url,
    organizer: { name: toSingleLine(company), address: mailFrom.address },
    attendee: { name: toSingleLine(to.name), address: to.address },
    stamp: now,
  });
  return { to, ...mail, calendar };
}
