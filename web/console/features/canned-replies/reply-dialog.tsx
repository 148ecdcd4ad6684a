import { Group, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { CANNED_REPLIES_KEY, type CannedReply } from '../../state/use-canned-replies';
import { useCommonTexts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { FormDialog } from '../../ui/form/form-dialog';
import { useSave } from '../../ui/form/use-save';
import { cannedReplyTexts } from './texts/texts';

/** @param reply null for a new one */
export function ReplyDialog({ reply, onClose }: { reply: CannedReply | null; onClose: () => void }) {
  const texts = cannedReplyTexts.use();
  const common = useCommonTexts();
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: {
      title: reply?.title ?? '',
      text: reply?.text ?? '',
      shortcut: reply?.shortcut ?? '',
    },
  });
  const done = async () => {
    await queries.invalidateQueries({ queryKey: CANNED_REPLIES_KEY });
    onClose();
  };
  const save = useSave({
    form,
    send: (values) => {
      const body = { ...values, shortcut: values.shortcut.replace(/^\//, '') || null };
      return reply
        ? unwrap(api.PUT('/api/v1/canned-replies/{id}', { params: { path: { id: reply.id } }, body }))
        : unwrap(api.POST('/api/v1/canned-replies', { body }));
    },
    done,
  });
  const remove = async (id: string) => {
    await unwrap(api.DELETE('/api/v1/canned-replies/{id}', { params: { path: { id } } }));
    await done();
  };
  return (
    <FormDialog
      title={reply ? texts.edit(reply.title) : texts.create}
      isOpen
      onClose={onClose}
      save={save}
      size="lg"
    >
      <TextInput
        label={texts.name}
        required
        data-autofocus
        data-testid="reply-title"
        {...form.getInputProps('title')}
      />
      <Textarea
        label={texts.text}
        required
        autosize
        minRows={3}
        maxRows={12}
        data-testid="reply-text"
        {...form.getInputProps('text')}
      />
      <TextInput
        label={texts.shortcut}
        description={texts.shortcutText}
        leftSection="/"
        autoComplete="off"
        data-testid="reply-shortcut"
        {...form.getInputProps('shortcut')}
      />
      {reply && (
        <Group>
          <ConfirmButton
            label={common.remove}
            question={texts.deleteQuestion(reply.title)}
            action={() => remove(reply.id)}
            data-testid="delete-reply"
          />
        </Group>
      )}
    </FormDialog>
  );
}
