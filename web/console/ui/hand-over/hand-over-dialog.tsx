import { NativeSelect, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi, useConsole } from '../../state/console-context';
import { FormDialog } from '../form/form-dialog';
import { useSave } from '../form/use-save';
import { useSignalValue } from '../use-signal-value';
import { ProblemNotice } from '../problem-notice';
import { handOverTexts } from './texts/texts';
import { type DepartmentOption, useTransferDepartments } from './use-transfer-departments';

interface HandOverDialogProps {
  /** An active call. */
  call: { id: string; user_id: string | null };
  onClose: () => void;
}

/** Hands an active call over to another agent, or to the line of another department. */
export function HandOverDialog(props: HandOverDialogProps) {
  const { options, error } = useTransferDepartments(props.call.id);
  // What can be chosen first depends on whether there is another department.
  if (!options && !error) return null;
  return <HandOverForm {...props} departments={options ?? []} error={error} />;
}

interface HandOverFormProps extends HandOverDialogProps {
  departments: DepartmentOption[];
  /** Why the departments are not known. */
  error: unknown;
}

function HandOverForm({ call, onClose, departments, error }: HandOverFormProps) {
  const texts = handOverTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const agents = useSignalValue(useConsole().queue.agents).filter(
    ({ state, user_id }) => state === 'available' && user_id !== call.user_id,
  );
  const form = useForm({
    initialValues: {
      to: departments.length > 0 ? 'department' : 'agent',
      department_id: '',
      user_id: '',
      note: '',
    },
    validate: {
      department_id: (id, { to }) => (to === 'department' && !id ? texts.choose : null),
      user_id: (id, { to }) => (to === 'agent' && !id ? texts.choose : null),
    },
  });
  const { to } = form.values;
  const save = useSave({
    form,
    send: async ({ department_id, user_id, note }) => {
      const target = to === 'department' ? { department_id } : { user_id };
      const body = { ...target, note: note.trim() || null };
      return unwrap(api.POST('/api/v1/calls/{id}/transfer', { params: { path: { id: call.id } }, body }));
    },
    done: async () => {
      const { department_id, user_id } = form.getValues();
      const message =
        to === 'department'
          ? texts.moved(departments.find(({ value }) => value === department_id)?.name ?? texts.department)
          : texts.asked(agents.find((agent) => agent.user_id === user_id)?.name ?? texts.agent);
      notifications.show({ message });
      await queries.invalidateQueries({ queryKey: ['calls'] });
      onClose();
    },
  });
  return (
    <FormDialog title={texts.title} isOpen onClose={onClose} save={save} submitLabel={texts.submit}>
      <ProblemNotice error={error} />
      {departments.length > 0 && (
        <Radio.Group label={texts.to} {...form.getInputProps('to')}>
          <Stack gap="xs" mt="xs">
            <Radio value="department" label={texts.toDepartment} description={texts.departmentHint} />
            <Radio value="agent" label={texts.toAgent} description={texts.agentHint} />
          </Stack>
        </Radio.Group>
      )}
      {to === 'department' ? (
        <NativeSelect
          label={texts.department}
          required
          data-testid="hand-over-department"
          data={[
            { value: '', label: '' },
            ...departments.map(({ value, label, disabled }) => ({ value, label, disabled })),
          ]}
          {...form.getInputProps('department_id')}
        />
      ) : (
        <>
          <NativeSelect
            label={texts.agent}
            required
            data-testid="hand-over-agent"
            data={[
              { value: '', label: '' },
              ...agents.map(({ user_id, name }) => ({ value: user_id, label: name })),
            ]}
            {...form.getInputProps('user_id')}
          />
          {agents.length === 0 && <Text size="sm">{texts.nobody}</Text>}
        </>
      )}
      <Textarea label={texts.note} autosize minRows={2} maxLength={2000} {...form.getInputProps('note')} />
    </FormDialog>
  );
}
