import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp, useTexts } from '../../app/app-context';
import { Field } from '../../ui/field';
import { formText } from '../../ui/form-text';
import { ProblemNotice } from '../../ui/problem-notice';
import { useRequest } from '../../ui/use-request';
import { isEmail } from '../start/join-form.rules';

/** Keeps the place while the customer is away: a message comes when it is nearly their turn. */
export function CallbackOffer() {
  const { actions, entry } = useApp();
  const texts = useTexts();
  const { callback } = texts;
  const [isOpen, setOpen] = useState(false);
  const [isWrong, setWrong] = useState(false);
  const { isBusy, problem, run } = useRequest();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const email = formText(event.currentTarget, 'email');
    // Left empty, the address of the join counts, which a reloaded page does not know.
    setWrong(email !== '' && !isEmail(email));
    if (!isBusy && (email === '' || isEmail(email))) run(() => actions.requestCallback(email || null));
  };
  const hasFieldError = isWrong || problem?.code === 'validation_failed';
  const input = useRef<HTMLInputElement>(null);
  // The button that had the focus is gone, or the field must be corrected.
  useEffect(() => input.current?.focus(), [isOpen, hasFieldError]);
  return (
    <section class="card">
      <h2>{callback.offer}</h2>
      <p>{callback.offerText}</p>
      {!isOpen && (
        <button class="button" type="button" data-testid="request-callback" onClick={() => setOpen(true)}>
          {callback.request}
        </button>
      )}
      {isOpen && (
        <form class="form" noValidate onSubmit={submit}>
          <Field
            id="callback-email"
            label={callback.email}
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
                defaultValue={entry.form.email ?? ''}
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
            {callback.send}
          </button>
        </form>
      )}
    </section>
  );
}
