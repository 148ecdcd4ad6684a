import { Anchor, Skeleton, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { ApiError, unwrap, type components } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { CopyButton } from '../../../ui/copy-button';
import { FormDialog } from '../../../ui/form/form-dialog';
import { PasswordField } from '../../../ui/form/password-field';
import { useSave } from '../../../ui/form/use-save';
import { ProblemNotice } from '../../../ui/problem-notice';
import { accountTexts } from '../texts/texts';

interface EnrolDialogProps {
  onClose: () => void;
  onEnabled: (recoveryCodes: readonly string[]) => Promise<void>;
}

type Enrolment = components['schemas']['MfaEnrolmentDto'];

/** Shows the secret for the authenticator app, and confirms it by a code. Asks for the password after an old login. */
export function EnrolDialog({ onClose, onEnabled }: EnrolDialogProps) {
  const texts = accountTexts.use().twoStep;
  const api = useApi();
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [needsPassword, setNeedsPassword] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const form = useForm({ initialValues: { password: '', code: '' } });
  const begin = async (body: { password?: string }) =>
    setEnrolment((await unwrap(api.POST('/api/v1/users/me/mfa', { body }))).data);
  const save = useSave({
    form,
    send: async ({ password, code }) => {
      if (needsPassword && !enrolment) return begin({ password });
      const body = { code: code.replaceAll(/\s/g, '') };
      const { data } = await unwrap(api.POST('/api/v1/users/me/mfa/confirm', { body }));
      await onEnabled(data.recovery_codes);
    },
  });
  const first = useRef(true);
  const start = () => {
    setError(null);
    begin({}).catch((refusal: unknown) => {
      if (refusal instanceof ApiError && refusal.code === 'reauthentication_required') setNeedsPassword(true);
      else setError(refusal);
    });
  };
  useEffect(() => {
    if (first.current) start();
    first.current = false;
  });
  return (
    <FormDialog title={texts.setUp} isOpen onClose={onClose} save={save} submitLabel={texts.goOn}>
      <ProblemNotice error={error} onRetry={start} />
      {enrolment ? (
        <>
          <Scan enrolment={enrolment} />
          <TextInput
            label={texts.code}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            data-testid="mfa-code"
            {...form.getInputProps('code')}
          />
        </>
      ) : needsPassword ? (
        <Password props={form.getInputProps('password') as object} />
      ) : (
        !error && <Skeleton height={200} />
      )}
    </FormDialog>
  );
}

function Scan({ enrolment: { qr_code, secret, otpauth_url } }: { enrolment: Enrolment }) {
  const texts = accountTexts.use().twoStep;
  return (
    <>
      <Text size="sm">{texts.scan}</Text>
      <img src={qr_code} alt={texts.qrCode} width={200} height={200} style={{ alignSelf: 'center' }} />
      <Text size="sm">
        {texts.secret}{' '}
        <Text span ff="monospace" fw={600} data-testid="mfa-secret" style={{ overflowWrap: 'anywhere' }}>
          {secret}
        </Text>
      </Text>
      <CopyButton size="xs" value={secret} label={texts.copySecret} style={{ alignSelf: 'start' }} />
      <Anchor href={otpauth_url} size="sm">
        {texts.openApp}
      </Anchor>
    </>
  );
}

function Password({ props }: { props: object }) {
  const texts = accountTexts.use().twoStep;
  return (
    <>
      <Text size="sm">{texts.passwordText}</Text>
      <PasswordField {...props} />
    </>
  );
}
