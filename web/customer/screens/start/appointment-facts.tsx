import { useApp, useReader, useTexts } from '../../app/app-context';
import { dayAndHourText } from '../../format/time-text';
import type { LinkAppointment } from '../../../shared/page-data';

/** When the appointment is, with whom, and what about. */
export function AppointmentFacts({ appointment }: { appointment: LinkAppointment }) {
  const { page } = useApp();
  const texts = useTexts();
  const reader = useReader();
  const { starts_at, title, agent_name } = appointment;
  return (
    <div class="statement appointment" data-testid="appointment">
      <p>{dayAndHourText(starts_at, page.timezone, texts, reader)}</p>
      <p>{texts.form.appointmentWith(agent_name)}</p>
      {title && <p>{title}</p>}
    </div>
  );
}
