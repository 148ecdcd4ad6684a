import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useRef, useState, type FormEvent } from 'react';
import { ApiError } from '../../../shared/api/client';
import type { StaffSession } from '../../state/staff-session';
import { useCommonTexts } from '../../texts/texts';
import { explain } from '../../ui/explain';
import { PasswordField } from '../../ui/form/password-field';
import { ProblemNotice } from '../../ui/problem-notice';
import { lastLogin } from '../../state/last-login';

interface LoginFormProps {
  session: StaffSession;
  /** Of somebody whose login has expired. */
  email?: string;
  /** What the link for a forgotten password does; without it there is none. */
  onForgotten?: () => void;
}

/** Company, e-mail and password, then a code if the user has two-step login. */
export function LoginForm({ session, email, onForgotten }: LoginFormProps) {
  const { login, error: sentences } = useCommonTexts();
  const [mfaToken, setMfaToken] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const codeField = useRef<HTMLInputElement>(null);
  const send = async (form: FormData) => {
    const of = (name: string) => (form.get(name) as string | null) ?? '';
    if (mfaToken) return session.verify(mfaToken, of('code').trim());
    const tenant = of('tenant').trim();
    setMfaToken(await session.logIn({ tenant, email: of('email').trim(), password: of('password') }));
    lastLogin.write({ tenant });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    send(new FormData(event.currentTarget))
      .catch((refusal: unknown) => {
        setError(refusal);
        if (concernsCode(refusal)) codeField.current?.select();
      })
      .finally(() => setBusy(false));
  };
  const backToPassword = () => {
    setMfaToken(null);
    setError(null);
  };
  const isOfCode = mfaToken !== null && concernsCode(error);
  return (
    <form onSubmit={submit}>
      <Stack>
        {mfaToken ? (
          <TextInput
            key="code"
            name="code"
            label={login.code}
            ref={codeField}
            data-testid="mfa-code"
            error={isOfCode && explain(error, sentences)}
            autoComplete="one-time-code"
            autoFocus
            required
          />
        ) : (
          <Credentials email={email} />
        )}
        <ProblemNotice error={isOfCode ? null : error} />
        <Button type="submit" loading={isBusy} data-testid="login-submit">
          {mfaToken ? login.verify : login.submit}
        </Button>
        {!mfaToken && onForgotten && (
          <Anchor component="button" type="button" size="sm" onClick={onForgotten} data-testid="forgotten">
            {login.forgotten}
          </Anchor>
        )}
        {mfaToken && (
          <Button variant="subtle" onClick={backToPassword}>
            {login.back}
          </Button>
        )}
      </Stack>
    </form>
  );
}

/** Whether the service refuses the code itself, and not the login. */
const concernsCode = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'invalid_code' || 'code' in error.fields);

function Credentials({ email }: { email: string | undefined }) {
  const { login } = useCommonTexts();
  return (
    <>
      <TextInput
        name="tenant"
        label={login.tenant}
        defaultValue={lastLogin.read().tenant}
        data-testid="login-tenant"
        autoComplete="organization"
        required
      />
      <TextInput
        name="email"
        type="email"
        label={login.email}
        defaultValue={email ?? lastLogin.read().email}
        data-testid="login-email"
        autoComplete="username"
        required
      />
      <PasswordField name="password" data-testid="login-password" />
    </>
  );
}
