import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useConsole } from '../../state/console-context';
import { lastLogin } from '../../state/last-login';
import { FormGroup } from '../../ui/form/form-group';
import { notifySuccess } from '../../ui/form/page-form';
import { useAttempt } from '../../ui/use-attempt';
import { accountTexts } from './texts/texts';

/** Sends the user the link to choose a new password, as for a forgotten one. */
export function OwnPassword({ email }: { email: string }) {
  const texts = accountTexts.use().password;
  const { session } = useConsole();
  const attempt = useAttempt();
  const [isBusy, setBusy] = useState(false);
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
    <FormGroup title={texts.title} text={texts.text(email)}>
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
