import { DateTime } from 'luxon';
import type { MailLanguage } from '../../tenancy/mail/mail-language';
import type { AppointmentTimes } from '../appointment.rules';

const LOCALES: Record<MailLanguage, string> = { pt: 'pt-BR', en: 'en-GB', es: 'es' };

/**
 * Formats the times in the company's time zone.
 * @param zone IANA name
 * @returns `day`, the date of the start, and `when`, which adds the times and the zone's name
 */
export function formatSchedule(
  { starts_at, ends_at }: AppointmentTimes,
  zone: string,
  language: MailLanguage,
) {
  const [start, end] = [starts_at, ends_at].map((moment) =>
    DateTime.fromJSDate(moment, { zone }).setLocale(LOCALES[language]),
  ) as [DateTime, DateTime];
  const [day, lastDay] = [start, end].map((time) => time.toLocaleString(DateTime.DATE_HUGE)) as [
    string,
    string,
  ];
  const until = `${lastDay === day ? '' : `${lastDay}, `}${end.toFormat('HH:mm')}`;
  return { day, when: `${day}, ${start.toFormat('HH:mm')} – ${until} (${start.offsetNameLong})` };
}
