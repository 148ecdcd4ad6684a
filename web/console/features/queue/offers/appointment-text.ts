import type { CallOffer } from '../../../../shared/socket';
import type { Language } from '../../../../shared/texts/texts';
import { formatTimeAs } from '../../../ui/dates';
import { dayIn } from '../../../ui/wall-time';
import type { queueTexts } from '../texts/texts';

export type OfferedAppointment = NonNullable<CallOffer['offer']['appointment']>;

/** When the appointment of an offered call is, with the day unless it is today in the zone, and what for. */
export function appointmentText(
  { starts_at, title }: OfferedAppointment,
  texts: Pick<ReturnType<typeof queueTexts.use>['offer'], 'appointment' | 'appointmentOn'>,
  { language, zone, now }: { language: Language; zone: string; now: number },
): string {
  return dayIn(zone, Date.parse(starts_at)) === dayIn(zone, now)
    ? texts.appointment(formatTimeAs('clock', starts_at, language, zone), title)
    : texts.appointmentOn(formatTimeAs('period', starts_at, language, zone), title);
}
