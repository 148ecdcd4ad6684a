import { NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { DEPARTMENTS_KEY, type Department } from '../../state/use-departments';
import { DurationInput } from '../../ui/form/duration-input';
import { FormDialog } from '../../ui/form/form-dialog';
import { useSave } from '../../ui/form/use-save';
import { departmentTexts } from './texts/texts';

/** Seconds, in which agents complete their notes. */
const PROPOSED_WRAP_UP = 30;

/** Creates a department, and leads to its page, where everything else is set. */
export function NewDepartmentDialog({ onClose }: { onClose: () => void }) {
  const texts = departmentTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: {
      name: '',
      description: '',
      routing: 'manual' as Department['routing'],
      wrap_up_time: PROPOSED_WRAP_UP as number | '',
    },
  });
  const save = useSave({
    form,
    send: (values) =>
      unwrap(
        api.POST('/api/v1/departments', {
          body: {
            ...values,
            description: values.description || null,
            wrap_up_time: values.wrap_up_time || 0,
          },
        }),
      ),
    done: async ({ data }) => {
      await queries.invalidateQueries({ queryKey: DEPARTMENTS_KEY });
      onClose();
      await navigate({ to: `/departments/${data.id}` });
    },
  });
  return (
    <FormDialog title={texts.create} isOpen onClose={onClose} save={save} submitLabel={texts.createSubmit}>
      <Text size="sm">{texts.createText}</Text>
      <TextInput
        label={texts.fields.name.label}
        required
        data-autofocus
        data-testid="department-name"
        {...form.getInputProps('name')}
      />
      <Textarea
        label={texts.fields.description.label}
        autosize
        minRows={2}
        {...form.getInputProps('description')}
      />
      <NativeSelect
        label={texts.fields.routing.label}
        description={texts.fields.routing.help}
        data={(['manual', 'automatic'] as const).map((value) => ({ value, label: texts.routing[value] }))}
        {...form.getInputProps('routing')}
      />
      <DurationInput
        name="wrap_up_time"
        label={texts.fields.wrap_up_time.label}
        description={texts.fields.wrap_up_time.help}
        {...form.getInputProps('wrap_up_time')}
      />
    </FormDialog>
  );
}
