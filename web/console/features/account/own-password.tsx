import { Button, Group, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useConsole } from '../../state/console-context';
import { lastLogin } from '../../state/last-login';
import { ME_KEY } from '../../state/use-me';
import { FormGroup } from '../../ui/form/form-group';
import { notifySuccess, PageForm } from '../../ui/form/page-form';
import { PasswordField } from '../../ui/form/password-field';
import { useSave } from '../../ui/form/use-save';
import { useAttempt } from '../../ui/use-attempt';
import { accountTexts } from './texts/texts';

/** Changes the password, or sends the user a link as for a forgotten one. */
export function OwnPassword({ email }: { email: string }) {
  const texts = accountTexts.use().password;
  const { session } = useConsole();
  const queries = useQueryClient();
  const attempt = useAttempt();
  const [isBusy, setBusy] = useState(false);
  const form = useForm({ initialValues: { current_password: '', password: '' } });
  const save = useSave({
    form,
    send: async (body) => {
      await unwrap(session.api.PUT('/api/v1/users/me', { body }));
    },
    stored: () => ({ current_password: '', password: '' }),
    done: async () => {
      // The list of logins, too.
      await queries.invalidateQueries({ queryKey: ME_KEY });
      notifySuccess(texts.changed);
    },
  });
  const send = async () => {
    setBusy(true);
    try {
      const body = { tenant: lastLogin.read().tenant, email };
      await unwrap(session.publicApi.POST('/api/auth/forgot-password', { body }));
      notifySuccess(texts.sent(email));
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormGroup title={texts.title} text={texts.text}>
      <PageForm save={save} submitLabel={texts.change} data-testid="save-password">
        <PasswordField
          label={texts.current}
          data-testid="current-password"
          {...form.getInputProps('current_password')}
        />
        <PasswordField
          label={texts.new}
          autoComplete="new-password"
          data-testid="new-password"
          {...form.getInputProps('password')}
        />
      </PageForm>
      <Text size="sm" c="dimmed">
        {texts.forgottenText(email)}
      </Text>
      <Group>
        <Button
          variant="default"
          size="xs"
          loading={isBusy}
          onClick={() => attempt(send)}
          data-testid="password-mail"
        >
          {texts.send}
        </Button>
      </Group>
    </FormGroup>
  );
}
