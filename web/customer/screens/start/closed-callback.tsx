import { useApp, useTexts } from '../../app/app-context';
import type { JoinForm } from '../../service/customer-api';
import { joinForCallback } from '../../service/rare-entries';
import { ProblemNotice } from '../../ui/problem-notice';
import { JoinFields } from './join-fields';
import { PrivacyNotice } from './privacy-notice';
import { RetryNotice } from './retry-notice';
import { useAttempts } from './use-attempts';
import { useJoinForm } from './use-join-form';

/** A join while the department is closed: a message comes when it has opened and it is nearly the customer's turn. */
export function ClosedCallback() {
  const services = useApp();
  const { closed, form: labels } = useTexts();
  const { isBusy, problem, retry, stop, run } = useAttempts();
  const { form, isReady, errors, submit, keep } = useJoinForm(problem, {
    isEmailRequired: true,
    isBusy,
    send: (typed: JoinForm) =>
      run((attempts) => joinForCallback(services, typed, typed.email ?? '', attempts)),
  });
  return (
    <section class="card">
      <h2>{closed.callback}</h2>
      <p>{closed.callbackText}</p>
      <form
        class="form"
        noValidate
        ref={form}
        onSubmit={submit}
        onInput={(event) => keep(event.currentTarget)}
        aria-busy={isBusy}
      >
        <JoinFields errors={errors} values={services.entry.form} isEmailRequired />
        {Object.keys(errors).length === 0 && <ProblemNotice problem={problem} />}
        <RetryNotice retry={retry} stopLabel={labels.stop} onStop={stop} />
        <button
          class="button button-primary"
          type="submit"
          data-testid="request-callback"
          disabled={!isReady}
          aria-disabled={isBusy ? 'true' : undefined}
        >
          {closed.callbackSubmit}
        </button>
      </form>
      <PrivacyNotice />
    </section>
  );
}
