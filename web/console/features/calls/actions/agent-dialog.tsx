import { NativeSelect, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi, useConsole } from '../../../state/console-context';
import { FormDialog } from '../../../ui/form/form-dialog';
import { useSave } from '../../../ui/form/use-save';
import { useSignalValue } from '../../../ui/use-signal-value';
import { callsTexts } from '../texts/texts';

interface AgentDialogProps {
  call: { id: string; user_id: string | null };
  /** Offering asks the agent; assigning does not, and is for departments whose agents take calls themselves. */
  kind: 'offer' | 'assign';
  onClose: () => void;
}

/** Gives a call that has not begun to an agent. */
export function AgentDialog({ call, kind, onClose }: AgentDialogProps) {
  const { actions: texts } = callsTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const agents = useSignalValue(useConsole().queue.agents).filter(
    ({ state, user_id }) => state === 'available' && user_id !== call.user_id,
  );
  const form = useForm({
    initialValues: { user_id: '' },
    validate: { user_id: (id) => (id ? null : texts.choose) },
  });
  const params = { path: { id: call.id } };
  const save = useSave({
    form,
    send: async (body) => {
      const name = agents.find(({ user_id }) => user_id === body.user_id)?.name ?? texts.agent;
      if (kind === 'offer') await unwrap(api.POST('/api/v1/calls/{id}/offer', { params, body }));
      else await unwrap(api.POST('/api/v1/calls/{id}/assign', { params, body }));
      return name;
    },
    done: async (name) => {
      notifications.show({ message: kind === 'offer' ? texts.offered(name) : texts.assigned(name) });
      await queries.invalidateQueries({ queryKey: ['calls', call.id] });
      onClose();
    },
  });
  return (
    <FormDialog title={texts[kind]} isOpen onClose={onClose} save={save} submitLabel={texts[kind]}>
      <Text size="sm">{kind === 'offer' ? texts.offerHint : texts.assignHint}</Text>
      <NativeSelect
        label={texts.agent}
        required
        data-testid="agent-choice"
        data={[
          { value: '', label: '' },
          ...agents.map(({ user_id, name }) => ({ value: user_id, label: name })),
        ]}
        {...form.getInputProps('user_id')}
      />
      {agents.length === 0 && <Text size="sm">{texts.nobody}</Text>}
    </FormDialog>
  );
}
