import { useSignal } from '@preact/signals';
import { texts } from '../texts/language';
import { attempt } from '../ui/errors';
import { Field } from '../ui/field';
import type { StaffSession } from './staff-session';

/** Company, e-mail and password, then a code if the user has two-step login. */
export function LoginForm({ session }: { session: StaffSession }) {
  const mfaToken = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const { login } = texts.value;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const of = (name: string) => (form.get(name) as string | null) ?? '';
    isBusy.value = true;
    attempt(async () => {
      try {
        if (mfaToken.value) await session.verify(mfaToken.value, of('code').trim());
        else
          mfaToken.value = await session.logIn({
            tenant: of('tenant').trim(),
            email: of('email').trim(),
            password: of('password'),
          });
      } finally {
        isBusy.value = false;
      }
    });
  };
  return (
    <form class="card login" onSubmit={submit}>
      <h2>{login.title}</h2>
      {mfaToken.value ? (
        <Field key="code" label={login.code}>
          <input name="code" data-testid="mfa-code" autocomplete="one-time-code" required />
        </Field>
      ) : (
        <Credentials />
      )}
      <button type="submit" class="primary" data-testid="login-submit" disabled={isBusy.value}>
        {mfaToken.value ? login.verify : login.submit}
      </button>
      {mfaToken.value && (
        <button type="button" onClick={() => (mfaToken.value = null)}>
          {login.back}
        </button>
      )}
    </form>
  );
}

function Credentials() {
  const { login } = texts.value;
  return (
    <>
      <Field label={login.tenant}>
        <input name="tenant" data-testid="login-tenant" autocomplete="organization" required />
      </Field>
      <Field label={login.email}>
        <input name="email" type="email" data-testid="login-email" autocomplete="username" required />
      </Field>
      <Field label={login.password}>
        <input
          name="password"
          type="password"
          data-testid="login-password"
          autocomplete="current-password"
          required
        />
      </Field>
    </>
  );
}
