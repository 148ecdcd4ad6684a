import { Anchor, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import type { Choice } from '../../ui/choices/departments.rules';
import { CopyButton } from '../../ui/copy-button';
import { Dialog } from '../../ui/dialog/dialog';
import { ProblemNotice } from '../../ui/problem-notice';
import { isLive } from './calendar.rules';
import { StatusActions } from './status-actions';
import { appointmentTexts } from './texts/texts';
import { APPOINTMENTS_KEY, type Appointment } from './use-appointments';
import { useFormats } from './use-formats';

interface AppointmentDetailsProps {
  id: string;
  zone: string;
  agents: readonly Choice[];
  onClose: () => void;
  onEdit: (appointment: Appointment) => void;
}

/** One appointment, its link and its next steps. */
export function AppointmentDetails({ id, zone, agents, onClose, onEdit }: AppointmentDetailsProps) {
  const texts = appointmentTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: [...APPOINTMENTS_KEY, 'one', id],
    queryFn: async () =>
      (await unwrap(api.GET('/api/v1/appointments/{id}', { params: { path: { id } } }))).data,
  });
  const changed = () => queries.invalidateQueries({ queryKey: APPOINTMENTS_KEY });
  return (
    <Dialog opened onClose={onClose} title={data?.title || texts.untitled} size="lg">
      <Stack data-testid="appointment-details">
        <ProblemNotice error={error} onRetry={refetch} />
        {!data && !error && <Skeleton height={120} />}
        {data && (
          <>
            <Facts appointment={data} zone={zone} agents={agents} />
            {data.access_link && data.status === 'confirmed' && (
              <Group align="end" wrap="nowrap">
                <TextInput
                  label={texts.link}
                  description={texts.linkHint}
                  value={data.access_link.url}
                  readOnly
                  style={{ flex: 1 }}
                  data-testid="appointment-link"
                />
                <CopyButton value={data.access_link.url} />
              </Group>
            )}
            {isLive(data.status) && (
              <StatusActions appointment={data} onChanged={changed} onEdit={() => onEdit(data)} />
            )}
          </>
        )}
      </Stack>
    </Dialog>
  );
}

type FactsProps = Pick<AppointmentDetailsProps, 'zone' | 'agents'> & { appointment: Appointment };

function Facts({ appointment, zone, agents }: FactsProps) {
  const texts = appointmentTexts.use();
  const { period } = useFormats(zone);
  const { customer_id, customer_name, user_id, status, notes } = appointment;
  return (
    <>
      <Text fw={600}>{period(appointment)}</Text>
      <Text data-testid="appointment-status">{texts.fact(texts.status, texts.statuses[status])}</Text>
      <Text>
        {texts.fact(texts.agent, agents.find(({ value }) => value === user_id)?.label ?? texts.otherAgent)}
      </Text>
      {customer_id ? (
        <Anchor component={Link} to={`/customers/${customer_id}`}>
          {texts.fact(texts.customer, customer_name ?? texts.showCustomer)}
        </Anchor>
      ) : (
        <Text c="dimmed">{texts.noCustomer}</Text>
      )}
      {notes && <Text style={{ whiteSpace: 'pre-line' }}>{notes}</Text>}
    </>
  );
}
