import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import type { StaffSession } from '../../state/staff-session';
import { useCommonTexts } from '../../texts/texts';
import { useSave } from '../../ui/form/use-save';
import { ProblemNotice } from '../../ui/problem-notice';
import { lastLogin } from '../../state/last-login';

/** Asks for a mail with a link to choose a new password. */
export default function ForgottenForm({ session, onBack }: { session: StaffSession; onBack: () => void }) {
  const { login } = useCommonTexts();
  const [isSent, setSent] = useState(false);
  const form = useForm({ initialValues: lastLogin.read() });
  const save = useSave({
    form,
    send: async ({ tenant, email }) => {
      const body = { tenant: tenant.trim(), email: email.trim() };
      await unwrap(session.publicApi.POST('/api/auth/forgot-password', { body }));
      lastLogin.write(body);
      setSent(true);
    },
  });
  const back = (
    <Button variant="subtle" onClick={onBack} data-testid="to-login">
      {login.toLogin}
    </Button>
  );
  if (isSent)
    return (
      <Stack>
        <Alert color="green" role="status" data-testid="mail-sent">
          {login.mailSent}
        </Alert>
        {back}
      </Stack>
    );
  return (
    <form onSubmit={save.submit} noValidate>
      <Stack>
        <Text size="sm">{login.forgottenText}</Text>
        <TextInput
          label={login.tenant}
          autoComplete="organization"
          required
          data-testid="forgotten-tenant"
          {...form.getInputProps('tenant')}
        />
        <TextInput
          type="email"
          label={login.email}
          autoComplete="username"
          required
          data-testid="forgotten-email"
          {...form.getInputProps('email')}
        />
        <ProblemNotice error={save.error} />
        <Button type="submit" loading={save.isBusy} data-testid="forgotten-submit">
          {login.sendMail}
        </Button>
        {back}
      </Stack>
    </form>
  );
}
