import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp, useTexts } from '../../app/app-context';
import { Field } from '../../ui/field';
import { formText } from '../../ui/form-text';
import { ProblemNotice } from '../../ui/problem-notice';
import { useRequest } from '../../ui/use-request';
import { isEmail } from '../start/join-form.rules';

interface CallbackFormProps {
  /** The address so far. */
  email: string | null | undefined;
  onSent?: () => void;
}

/** Asks where the message about the turn goes. */
export function CallbackForm({ email, onSent }: CallbackFormProps) {
  const { actions, entry } = useApp();
  const texts = useTexts();
  const [isWrong, setWrong] = useState(false);
  const { isBusy, problem, run } = useRequest();
  const send = async (typed: string) => {
    await actions.requestCallback(typed);
    onSent?.();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = formText(event.currentTarget, 'email');
    setWrong(!isEmail(typed));
    if (!isBusy && isEmail(typed)) run(() => send(typed));
  };
  const hasFieldError = isWrong || problem?.code === 'validation_failed';
  const input = useRef<HTMLInputElement>(null);
  // The button that had the focus is gone, or the field must be corrected.
  useEffect(() => input.current?.focus(), [hasFieldError]);
  return (
    <form class="form" noValidate onSubmit={submit}>
      <Field
        id="callback-email"
        label={texts.callback.email}
        error={hasFieldError ? texts.form.fields.email : null}
      >
        {(attributes) => (
          <input
            {...attributes}
            ref={input}
            name="email"
            type="email"
            autocomplete="email"
            inputMode="email"
            defaultValue={email ?? entry.form.email ?? ''}
          />
        )}
      </Field>
      {!hasFieldError && <ProblemNotice problem={problem} />}
      <button
        class="button button-primary"
        type="submit"
        data-testid="callback-submit"
        aria-disabled={isBusy ? 'true' : undefined}
      >
        {texts.callback.send}
      </button>
    </form>
  );
}
