import { Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { unwrap } from '../../../shared/api/client';
import { useApi, useUser } from '../../state/console-context';
import { PageForm } from '../../ui/form/page-form';
import { useSave } from '../../ui/form/use-save';
import { userTexts } from './texts/texts';
import type { User } from './user';
import { UserFields } from './user-fields';

/** Name, address, role, departments, and whether the user may log in. */
export function EditForm({ user, onSaved }: { user: User; onSaved: () => Promise<void> }) {
  const texts = userTexts.use();
  const api = useApi();
  const isOwn = useUser().id === user.id;
  const { name, email, phone, role, department_ids, active } = user;
  const form = useForm({
    initialValues: { name, email, phone: phone ?? '', role, department_ids: [...department_ids], active },
  });
  const save = useSave({
    form,
    send: (values) =>
      unwrap(
        api.PUT('/api/v1/users/{id}', {
          params: { path: { id: user.id } },
          body: { ...values, phone: values.phone || null },
        }),
      ),
    done: onSaved,
  });
  return (
    <PageForm save={save}>
      <UserFields form={form} />
      <Switch
        label={texts.active}
        description={isOwn ? texts.ownActiveText : texts.activeText}
        disabled={isOwn}
        {...form.getInputProps('active', { type: 'checkbox' })}
      />
    </PageForm>
  );
}
