import { Alert, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi, useUser } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { CustomerSelect } from '../../ui/choices/customer-select';
import type { Choice } from '../../ui/choices/departments.rules';
import { useDepartmentChoices } from '../../ui/choices/use-department-choices';
import { FormDialog } from '../../ui/form/form-dialog';
import { notifySuccess } from '../../ui/form/page-form';
import { useSave } from '../../ui/form/use-save';
import { slotOf, timeProblems, toBody, toValues, type AppointmentValues } from './appointment-values';
import type { Span } from './calendar';
import { ConflictNotice } from './conflict-notice';
import { appointmentTexts } from './texts/texts';
import { APPOINTMENTS_KEY, type Appointment } from './use-appointments';
import { DateInput } from '../../ui/form/date-input';

const TIMES = [
  { field: 'starts_at', label: 'start', testId: 'appointment-start' },
  { field: 'ends_at', label: 'end', testId: 'appointment-end' },
] as const;

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
  const form = useForm<AppointmentValues>({
    initialValues: toValues(appointment, { span, userId: user.id }),
    validate: (values) => {
      const { starts_at, ends_at } = timeProblems(values, zone);
      return { starts_at: starts_at && texts[starts_at], ends_at: ends_at && texts[ends_at] };
    },
  });
  const save = useSave({
    form,
    send: (values) => {
      const body = toBody(values, zone);
      return appointment
        ? unwrap(api.PUT('/api/v1/appointments/{id}', { params: { path: { id: appointment.id } }, body }))
        : unwrap(api.POST('/api/v1/appointments', { body }));
    },
    done: async () => {
      notifySuccess(common.saved);
      await queries.invalidateQueries({ queryKey: APPOINTMENTS_KEY });
      onClose();
    },
  });
  const { user_id } = form.values;
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
      {TIMES.map(({ field, label, testId }) => (
        <DateInput
          key={field}
          withTime
          label={texts[label]}
          description={zone}
          required
          data-testid={testId}
          {...form.getInputProps(field)}
        />
      ))}
      <NativeSelect
        label={texts.agent}
        required
        data={isAgentKnown ? agents : [...agents, { value: user_id, label: texts.otherAgent }]}
        {...form.getInputProps('user_id')}
      />
      <ConflictNotice slot={slotOf(form.values, zone, appointment)} zone={zone} />
      <CustomerSelect
        label={texts.customer}
        description={texts.customerHint}
        data-testid="appointment-customer"
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
      {appointment?.status !== 'confirmed' && (
        <Checkbox
          label={texts.confirmNow}
          description={texts.confirmNowHint}
          data-testid="appointment-invite"
          {...form.getInputProps('confirm', { type: 'checkbox' })}
        />
      )}
      {appointment?.status === 'confirmed' && <Alert color="blue">{texts.customerNotified}</Alert>}
    </FormDialog>
  );
}
