import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { FormDialog } from '../../ui/form/form-dialog';
import { notifySuccess } from '../../ui/form/page-form';
import { useSave } from '../../ui/form/use-save';
import { userTexts } from './texts/texts';
import { USERS_KEY } from './user';
import { UserFields, type UserValues } from './user-fields';

/** A new user, who gets a mail with a link to choose a password. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const texts = userTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm<UserValues>({
    initialValues: { name: '', email: '', phone: '', role: 'attendant', department_ids: [] },
  });
  const save = useSave({
    form,
    send: (values) => unwrap(api.POST('/api/v1/users', { body: { ...values, phone: values.phone || null } })),
    done: async ({ data }) => {
      await queries.invalidateQueries({ queryKey: USERS_KEY });
      notifySuccess(texts.invited(data.email));
      onClose();
    },
  });
  return (
    <FormDialog title={texts.invite} isOpen onClose={onClose} save={save} submitLabel={texts.sendInvitation}>
      <Text size="sm">{texts.inviteText}</Text>
      <UserFields form={form} />
    </FormDialog>
  );
}
