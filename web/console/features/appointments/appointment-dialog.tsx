import { Alert, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi, useUser } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { CustomerSelect } from '../../ui/choices/customer-select';
import type { Choice } from '../../ui/choices/departments.rules';
import { useDepartmentChoices } from '../../ui/choices/use-department-choices';
import { FormDialog } from '../../ui/form/form-dialog';
import { useSave } from '../../ui/form/use-save';
import { instantOf } from '../../ui/wall-time';
import type { Span } from './calendar';
import { ConflictNotice } from './conflict-notice';
import { appointmentTexts } from './texts/texts';
import { APPOINTMENTS_KEY, type Appointment } from './use-appointments';

interface AppointmentDialogProps {
  /** Null for a new one. */
  appointment: Appointment | null;
  span: Span;
  /** The IANA name of the zone of the times. */
  zone: string;
  agents: readonly Choice[];
  onClose: () => void;
}

/** Creates or changes an appointment; its times can be typed. */
export function AppointmentDialog({ appointment, span, zone, agents, onClose }: AppointmentDialogProps) {
  const texts = appointmentTexts.use();
  const common = useCommonTexts();
  const api = useApi();
  const user = useUser();
  const departments = useDepartmentChoices();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: {
      title: appointment?.title ?? '',
      starts_at: span.start,
      ends_at: span.end,
      user_id: appointment?.user_id ?? user.id,
      customer_id: appointment?.customer_id ?? (null as string | null),
      department_id: appointment?.department_id ?? '',
      notes: appointment?.notes ?? '',
    },
    validate: {
      starts_at: (value) => (instantOf(value, zone) ? null : texts.enterTime),
      ends_at: (value, { starts_at }) => {
        if (!instantOf(value, zone)) return texts.enterTime;
        return value > starts_at ? null : texts.endBeforeStart;
      },
    },
  });
  const times = (values: { starts_at: string; ends_at: string }) => ({
    starts_at: instantOf(values.starts_at, zone)?.toISOString() ?? '',
    ends_at: instantOf(values.ends_at, zone)?.toISOString() ?? '',
  });
  const { user_id, ...typed } = form.getValues();
  const { starts_at, ends_at } = times(typed);
  const slot =
    starts_at && ends_at > starts_at
      ? { user_id, starts_at, ends_at, ...(appointment && { exclude_id: appointment.id }) }
      : null;
  const save = useSave({
    form,
    send: (values) => {
      const body = {
        ...values,
        ...times(values),
        title: values.title || null,
        notes: values.notes || null,
        department_id: values.department_id || null,
      };
      return appointment
        ? unwrap(api.PUT('/api/v1/appointments/{id}', { params: { path: { id: appointment.id } }, body }))
        : unwrap(api.POST('/api/v1/appointments', { body }));
    },
    done: async () => {
      notifications.show({ message: common.saved, role: 'status' });
      await queries.invalidateQueries({ queryKey: APPOINTMENTS_KEY });
      onClose();
    },
  });
  // One that attendants do not see in their queues.
  const isAgentKnown = agents.some(({ value }) => value === user_id);
  return (
    <FormDialog
      title={appointment ? texts.edit : texts.create}
      isOpen
      onClose={onClose}
      save={save}
      size="lg"
    >
      <TextInput
        label={texts.titleField}
        description={texts.titleHint}
        data-autofocus
        data-testid="appointment-title"
        {...form.getInputProps('title')}
      />
      <TextInput
        type="datetime-local"
        label={texts.start}
        description={zone}
        required
        data-testid="appointment-start"
        {...form.getInputProps('starts_at')}
      />
      <TextInput
        type="datetime-local"
        label={texts.end}
        description={zone}
        required
        data-testid="appointment-end"
        {...form.getInputProps('ends_at')}
      />
      <NativeSelect
        label={texts.agent}
        required
        data={isAgentKnown ? agents : [...agents, { value: user_id, label: texts.otherAgent }]}
        {...form.getInputProps('user_id')}
      />
      <ConflictNotice slot={slot} zone={zone} />
      <CustomerSelect
        label={texts.customer}
        description={texts.customerHint}
        {...form.getInputProps('customer_id')}
      />
      <NativeSelect
        label={texts.department}
        description={texts.departmentHint}
        data={[{ value: '', label: texts.agentsDepartment }, ...departments]}
        {...form.getInputProps('department_id')}
      />
      <Textarea
        label={texts.notes}
        description={texts.notesHint}
        autosize
        minRows={2}
        {...form.getInputProps('notes')}
      />
      {appointment?.status === 'confirmed' && <Alert color="blue">{texts.customerNotified}</Alert>}
    </FormDialog>
  );
}
