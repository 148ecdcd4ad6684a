import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { FormDialog } from '../../../ui/form/form-dialog';
import { useSave } from '../../../ui/form/use-save';
import { PriorityField } from '../../../ui/required-skills/priority-field';
import { requiredSkills, type RequiredSkillValue } from '../../../ui/required-skills/required-skill';
import { SkillFields } from '../../../ui/required-skills/skill-fields';
import { callsTexts } from '../texts/texts';
import type { Call } from '../use-call';

interface DemandsDialogProps {
  /** A waiting call. */
  call: Pick<Call, 'id' | 'priority' | 'skills'>;
  onClose: () => void;
}

interface DemandsValues {
  priority: number | string;
  skills: RequiredSkillValue[];
}

/** Changes the priority of a waiting call, and the skills that its agent needs. */
export function DemandsDialog({ call, onClose }: DemandsDialogProps) {
  const { actions: texts } = callsTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm<DemandsValues>({
    initialValues: { priority: call.priority, skills: call.skills },
    // The service would leave the priority as it is.
    validate: { priority: (priority) => (priority === '' ? texts.priorityMissing : null) },
  });
  const save = useSave({
    form,
    send: ({ priority, skills }) => {
      const body = { priority: Number(priority), skills: requiredSkills(skills) };
      return unwrap(api.PUT('/api/v1/calls/{id}', { params: { path: { id: call.id } }, body }));
    },
    done: async () => {
      notifications.show({ message: texts.demandsChanged });
      await queries.invalidateQueries({ queryKey: ['calls', call.id] });
      onClose();
    },
  });
  return (
    <FormDialog title={texts.demands} isOpen onClose={onClose} save={save}>
      <PriorityField data-autofocus data-testid="call-priority" {...form.getInputProps('priority')} />
      <SkillFields form={form} />
    </FormDialog>
  );
}
