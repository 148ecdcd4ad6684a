import { ColorInput, Group, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { FormDialog } from '../../ui/form/form-dialog';
import { useSave } from '../../ui/form/use-save';
import { possibleParents, type TagRow } from './tag-tree.rules';
import { tagTexts } from './texts/texts';
import { TAGS_KEY } from './use-tags';

const DEFAULT_COLOR = '#64748b';

interface TagDialogProps {
  /** Null for a new one. */
  tag: TagRow | null;
  tags: readonly TagRow[];
  onClose: () => void;
}

export function TagDialog({ tag, tags, onClose }: TagDialogProps) {
  const texts = tagTexts.use();
  const common = useCommonTexts();
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: {
      name: tag?.name ?? '',
      color: tag?.color ?? DEFAULT_COLOR,
      parent_id: tag?.parent_id ?? '',
      description: tag?.description ?? '',
    },
  });
  const done = async () => {
    await queries.invalidateQueries({ queryKey: TAGS_KEY });
    onClose();
  };
  const save = useSave({
    form,
    send: (values) => {
      const body = { ...values, parent_id: values.parent_id || null };
      return tag
        ? unwrap(api.PUT('/api/v1/tags/{id}', { params: { path: { id: tag.id } }, body }))
        : unwrap(api.POST('/api/v1/tags', { body }));
    },
    done,
  });
  const remove = async (id: string) => {
    await unwrap(api.DELETE('/api/v1/tags/{id}', { params: { path: { id } } }));
    await done();
  };
  const parents = possibleParents(tags, tag).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <FormDialog title={tag ? texts.edit(tag.name) : texts.create} isOpen onClose={onClose} save={save}>
      <TextInput
        label={texts.name}
        required
        data-autofocus
        data-testid="tag-name"
        {...form.getInputProps('name')}
      />
      <ColorInput withEyeDropper={false} label={texts.color} {...form.getInputProps('color')} />
      <NativeSelect
        label={texts.parent}
        data={[{ value: '', label: texts.noParent }, ...parents]}
        {...form.getInputProps('parent_id')}
      />
      <Textarea label={common.description} autosize minRows={2} {...form.getInputProps('description')} />
      {tag && (
        <Group>
          <ConfirmButton
            label={common.remove}
            question={texts.deleteQuestion(tag.name)}
            action={() => remove(tag.id)}
            data-testid="delete-tag"
          />
        </Group>
      )}
    </FormDialog>
  );
}
