import type { Config } from '../../platform/config/config';
import { composeMail } from '../../tenancy/mail/compose-mail';
import { mailLanguage } from '../../tenancy/mail/mail-language';
import type { MailMessage } from '../../platform/mail/mailer';
import { withoutUrls } from '../../tenancy/mail/without-urls';
import { toSingleLine } from '../../platform/text/single-line';
import { absolutePictureUrl } from '../../tenancy/pictures/picture-url';
import type { AppointmentMailKind, Recipient } from './appointment-mail-queue';
import { APPOINTMENT_TEXTS, DEFAULT_TITLES } from './appointment-mail.texts';
import type { Appointment } from '../appointment.entity';
import { formatSchedule } from './format-schedule';
import { toICalendar } from './icalendar';
import { linkUrl } from '../../access-links/link-url';

/** What a mail says about an appointment and the company that sends it. */
export interface MailedAppointment extends Pick<
  Appointment,
  'id' | 'title' | 'starts_at' | 'ends_at' | 'sequence'
> {
  agent: string;
  /** The token of the appointment's link. */
  token: string | null;
  company: string;
  language: string;
  timezone: string;
  primary_color: string;
  logo_url: string | null;
}

type Sender = Pick<Config, 'publicUrl' | 'mailFrom'>;

/** Composes the mail to one customer in the company's language and time zone, with an iCalendar attachment. */
export function composeAppointmentMail(
  appointment: MailedAppointment,
  kind: AppointmentMailKind,
  recipient: Recipient,
  { publicUrl, mailFrom }: Sender,
  now: Date,
): MailMessage {
  const { token, primary_color, logo_url } = appointment;
  // Users of the tenant choose these texts.
  const agent = withoutUrls(appointment.agent);
  const company = withoutUrls(appointment.company);
  const title = appointment.title === null ? null : withoutUrls(appointment.title);
  const language = mailLanguage(appointment.language);
  const { when, day } = formatSchedule(appointment, appointment.timezone, language);
  const values = { company, agent, title, when, day };
  const { subject, paragraphs, action, footnote } = APPOINTMENT_TEXTS[language][kind](values);
  const url = action && token ? linkUrl(publicUrl, token) : null;
  const mail = composeMail({
    to: recipient,
    language,
    brand: { name: company, primary_color, logo_url: absolutePictureUrl(logo_url, publicUrl) },
    service: new URL(publicUrl).host,
    subject,
    paragraphs,
    ...(action && url ? { action: { label: action, url } } : {}),
    footnote,
  });
  // A reminder does not change the calendar event.
  if (kind === 'reminder') return mail;
  const calendar = toICalendar({
    uid: appointment.id,
    sequence: appointment.sequence,
    is_cancelled: kind === 'cancellation',
    starts_at: appointment.starts_at,
    ends_at: appointment.ends_at,
    summary: title ?? DEFAULT_TITLES[language](company),
    description: [...paragraphs.map(toSingleLine), ...(url ? [url] : [])].join('\n'),
    url,
    organizer: { name: company, address: mailFrom.address },
    attendee: mail.to,
    stamp: now,
  });
  return { ...mail, calendar };
}
