import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi, useUser } from '../../state/console-context';
import { ConfirmButton } from '../../ui/confirm-button';
import { tellDone } from '../../ui/form/page-form';
import { useAttempt } from '../../ui/use-attempt';
import { userTexts } from './texts/texts';
import type { User } from './user';

/** The invitation and the second factor of a user. */
export function AccessActions({ user, onChanged }: { user: User; onChanged: () => Promise<void> }) {
  const texts = userTexts.use();
  const api = useApi();
  const attempt = useAttempt();
  const isOwn = useUser().id === user.id;
  const [isBusy, setBusy] = useState(false);
  const params = { path: { id: user.id } };
  const invite = async () => {
    setBusy(true);
    try {
      await unwrap(api.POST('/api/v1/users/{id}/invitation', { params }));
      tellDone(texts.invited(user.email));
    } finally {
      setBusy(false);
    }
  };
  const reset = async () => {
    await unwrap(api.DELETE('/api/v1/users/{id}/mfa', { params }));
    await onChanged();
  };
  // Who has logged in has chosen a password.
  const canInvite = user.last_login_at === null && user.active;
  return (
    <Stack>
      <Text size="sm">{canInvite ? texts.resendText : texts.noInvitation}</Text>
      {canInvite && (
        <Group>
          <Button variant="default" loading={isBusy} onClick={() => attempt(invite)} data-testid="resend">
            {texts.resend}
          </Button>
        </Group>
      )}
      <Text size="sm">{user.mfa_enabled ? texts.mfaOn : texts.mfaOff}</Text>
      {user.mfa_enabled && !isOwn && (
        <Group>
          <ConfirmButton label={texts.resetMfa} question={texts.resetMfaQuestion(user.name)} action={reset} />
        </Group>
      )}
    </Stack>
  );
}
