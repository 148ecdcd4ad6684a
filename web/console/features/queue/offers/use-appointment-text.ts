import { useConsole } from '../../../state/console-context';
import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { queueTexts } from '../texts/texts';
import { appointmentText, type OfferedAppointment } from './appointment-text';

/** @returns what is said of an appointment, in the zone of the calendar; an empty text while that is asked for */
export function useAppointmentText(appointment: OfferedAppointment | null | undefined): string {
  const { offer: texts } = queueTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  const { clockOffset } = useConsole().queue;
  if (!appointment || zone === undefined) return '';
  return appointmentText(appointment, texts, { language, zone, now: Date.now() + clockOffset.peek() });
}
