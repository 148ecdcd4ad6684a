import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '../../../ui/form/form-dialog';
import { useSave } from '../../../ui/form/use-save';
import { callsTexts } from '../texts/texts';

interface ViewDialogProps {
  title: string;
  name: string;
  onSave: (name: string) => void;
  onClose: () => void;
}

/** Asks for the name of a view. */
export function ViewDialog({ title, name, onSave, onClose }: ViewDialogProps) {
  const { views: texts } = callsTexts.use();
  const form = useForm({
    initialValues: { name },
    validate: { name: (value) => (value.trim() ? null : texts.nameMissing) },
  });
  const save = useSave({
    form,
    send: async (values) => onSave(values.name.trim()),
    done: onClose,
  });
  return (
    <FormDialog title={title} isOpen onClose={onClose} save={save}>
      <TextInput
        label={texts.name}
        required
        maxLength={60}
        data-autofocus
        data-testid="view-name"
        {...form.getInputProps('name')}
      />
    </FormDialog>
  );
}
