import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi, useUser } from '../../state/console-context';
import { ConfirmButton } from '../../ui/confirm-button';
import { notifySuccess, PageForm } from '../../ui/form/page-form';
import { PasswordField } from '../../ui/form/password-field';
import { useSave } from '../../ui/form/use-save';
import { useAttempt } from '../../ui/use-attempt';
import { userTexts } from './texts/texts';
import type { User } from './user';

/** The invitation, the password and the second factor of a user. */
export function AccessActions({ user, onReset }: { user: User; onReset: () => Promise<void> }) {
  const texts = userTexts.use();
  const api = useApi();
  const attempt = useAttempt();
  const own = useUser();
  const isOwn = own.id === user.id;
  const [isBusy, setBusy] = useState(false);
  // The dialog stays open after the reset if another tab has unsaved changes.
  const [hasMfa, setMfa] = useState(user.mfa_enabled);
  const params = { path: { id: user.id } };
  const invite = async () => {
    setBusy(true);
    try {
      await unwrap(api.POST('/api/v1/users/{id}/invitation', { params }));
      notifySuccess(texts.invited(user.email));
    } finally {
      setBusy(false);
    }
  };
  const reset = async () => {
    await unwrap(api.DELETE('/api/v1/users/{id}/mfa', { params }));
    setMfa(false);
    await onReset();
    notifySuccess(texts.mfaReset(user.name));
  };
  const canInvite = user.invited && user.active;
  const invitationText = canInvite
    ? texts.resendText
    : user.invited
      ? texts.inactiveInvitation
      : texts.noInvitation;
  return (
    <Stack>
      <Text size="sm">{invitationText}</Text>
      {canInvite && (
        <Group>
          <Button variant="default" loading={isBusy} onClick={() => attempt(invite)} data-testid="resend">
            {texts.resend}
          </Button>
        </Group>
      )}
      {!isOwn && own.role !== user.role && <PasswordForm user={user} onSaved={onReset} />}
      <Text size="sm">{hasMfa ? texts.mfaOn : texts.mfaOff}</Text>
      {hasMfa && !isOwn && (
        <Group>
          <ConfirmButton
            label={texts.resetMfa}
            question={texts.resetMfaQuestion(user.name)}
            action={reset}
            data-testid="reset-mfa"
          />
        </Group>
      )}
    </Stack>
  );
}

/** For users of lower roles: the service refuses the others. */
function PasswordForm({ user, onSaved }: { user: User; onSaved: () => Promise<void> }) {
  const texts = userTexts.use().password;
  const api = useApi();
  const form = useForm({ initialValues: { password: '' } });
  const save = useSave({
    form,
    send: (body) => unwrap(api.PUT('/api/v1/users/{id}', { params: { path: { id: user.id } }, body })),
    stored: () => ({ password: '' }),
    done: async () => {
      await onSaved();
      notifySuccess(texts.done(user.name));
    },
  });
  return (
    <PageForm save={save} submitLabel={texts.set} data-testid="save-user-password">
      <PasswordField
        label={texts.label}
        description={texts.text}
        autoComplete="new-password"
        data-testid="user-password"
        {...form.getInputProps('password')}
      />
    </PageForm>
  );
}
