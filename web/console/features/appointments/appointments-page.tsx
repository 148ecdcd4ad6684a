import { Button, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { useZone, type Zone } from '../../state/use-zone';
import { useAgents } from '../../ui/choices/use-agents';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { useFilters } from '../../ui/use-filters';
import { addMinutes, instantOf, wallTimeOf } from '../../ui/wall-time';
import { AppointmentDetails } from './appointment-details';
import { AppointmentDialog } from './appointment-dialog';
import { AppointmentFilters, FILTERS } from './appointment-filters';
import { Calendar, type Span } from './calendar';
import { eventsOf, nextHour } from './calendar.rules';
import { MoveQuestion } from './move-question';
import { appointmentTexts } from './texts/texts';
import { useAppointments, type Appointment, type Period } from './use-appointments';
import { useMove } from './use-move';

const DEFAULT_MINUTES = 30;

type Dialog = { kind: 'details'; id: string } | { kind: 'edit'; appointment: Appointment | null; span: Span };

/** The appointments of the agents with customers. */
export default function AppointmentsPage() {
  const texts = appointmentTexts.use();
  const zone = useZone();
  if (!zone) return <Skeleton height={400} />;
  return <Appointments key={zone.name} texts={texts} zone={zone} />;
}

function Appointments({ texts, zone }: { texts: ReturnType<typeof appointmentTexts.use>; zone: Zone }) {
  const [period, setPeriod] = useState<Period | null>(null);
  const [filters, change] = useFilters(FILTERS);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const agents = useAgents();
  const move = useMove(zone.name);
  const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
  const { data: appointments = [], error, refetch } = useAppointments(period, chosen);
  const describe = ({ title, customer_name, user_id, status }: Appointment) => {
    const agent = agents.find(({ value }) => value === user_id)?.label;
    const subject = title || (customer_name ? null : texts.untitled);
    return [customer_name, subject, agent, texts.statuses[status]].filter(Boolean).join(' · ');
  };
  const create = (span: Span) => setDialog({ kind: 'edit', appointment: null, span });
  const createNext = () => {
    const start = nextHour(wallTimeOf(new Date(), zone.name));
    create({ start, end: addMinutes(start, DEFAULT_MINUTES) });
  };
  const edit = (appointment: Appointment) =>
    setDialog({
      kind: 'edit',
      appointment,
      span: {
        start: wallTimeOf(appointment.starts_at, zone.name),
        end: wallTimeOf(appointment.ends_at, zone.name),
      },
    });
  const close = () => setDialog(null);
  return (
    <Page
      title={texts.title}
      actions={
        <Button onClick={createNext} data-testid="appointment-create">
          {texts.create}
        </Button>
      }
    >
      <AppointmentFilters filters={filters} onChange={change} agents={agents} />
      <Text size="sm" c="dimmed">
        {zone.isCompanys ? texts.companysZone(zone.name) : texts.browsersZone(zone.name)}
      </Text>
      <ProblemNotice error={error} onRetry={refetch} />
      <Calendar
        events={eventsOf(appointments, zone.name, describe)}
        zone={zone.name}
        onPeriod={({ start, end }) => {
          const [from, until] = [instantOf(start, zone.name), instantOf(end, zone.name)];
          if (from && until) setPeriod({ from, until });
        }}
        onOpen={(id) => setDialog({ kind: 'details', id })}
        onSelect={create}
        onMove={(id, span, revert) => {
          const appointment = appointments.find((other) => other.id === id);
          if (appointment) void move.start({ appointment, span, revert });
        }}
      />
      {move.question && <MoveQuestion zone={zone.name} {...move.question} onAnswer={move.answer} />}
      {dialog?.kind === 'details' && (
        <AppointmentDetails id={dialog.id} zone={zone.name} agents={agents} onClose={close} onEdit={edit} />
      )}
      {dialog?.kind === 'edit' && (
        <AppointmentDialog {...dialog} zone={zone.name} agents={agents} onClose={close} />
      )}
    </Page>
  );
}
