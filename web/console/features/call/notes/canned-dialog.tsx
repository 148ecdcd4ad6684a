import { Button, Fieldset, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useCommonTexts } from '../../../texts/texts';
import { FormDialog } from '../../../ui/form/form-dialog';
import { callTexts } from '../texts/texts';
import type { CannedNote } from './canned-notes';

const MAX_TITLE = 60;
const MAX_TEXT = 2000;

interface CannedDialogProps {
  notes: readonly CannedNote[];
  onClose: () => void;
  onSave: (notes: CannedNote[]) => void;
}

export function CannedDialog({ notes, onClose, onSave }: CannedDialogProps) {
  const { canned: labels } = callTexts.use();
  const common = useCommonTexts();
  const required = (value: string) => (value.trim() === '' ? labels.required : null);
  const form = useForm({
    initialValues: { notes: notes.length > 0 ? [...notes] : [{ title: '', text: '' }] },
    validate: { notes: { title: required, text: required } },
  });
  const submit = form.onSubmit((values) => onSave(values.notes));
  return (
    <FormDialog title={labels.title} isOpen onClose={onClose} save={{ isBusy: false, error: null, submit }}>
      <Text size="sm" c="dimmed">
        {labels.about}
      </Text>
      {form.getValues().notes.map((_, position) => (
        <Fieldset key={position} legend={labels.one(position + 1)}>
          <Stack gap="xs">
            <TextInput
              label={labels.name}
              maxLength={MAX_TITLE}
              data-testid="canned-title"
              {...form.getInputProps(`notes.${position}.title`)}
            />
            <Textarea
              label={labels.text}
              autosize
              minRows={2}
              maxLength={MAX_TEXT}
              data-testid="canned-text"
              {...form.getInputProps(`notes.${position}.text`)}
            />
            <Button
              variant="subtle"
              color="red"
              size="compact-sm"
              style={{ alignSelf: 'start' }}
              onClick={() => form.removeListItem('notes', position)}
            >
              {common.remove}
            </Button>
          </Stack>
        </Fieldset>
      ))}
      <Button variant="default" onClick={() => form.insertListItem('notes', { title: '', text: '' })}>
        {labels.add}
      </Button>
    </FormDialog>
  );
}
