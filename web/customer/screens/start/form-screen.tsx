import { useApp, useTexts } from '../../app/app-context';
import type { StateOf } from '../../state/state.types';
import { Notice } from '../../ui/notice';
import { ProblemNotice } from '../../ui/problem-notice';
import { Screen } from '../../ui/screen';
import { AppointmentFacts } from './appointment-facts';
import { JoinFields } from './join-fields';
import { LinkFacts } from './link-facts';
import { PrivacyNotice } from './privacy-notice';
import { RetryNotice } from './retry-notice';
import { useJoinForm } from './use-join-form';

/** The form, which stays while the join is under way: what was typed is still there if it fails. */
export function FormScreen({ state }: { state: StateOf<'form'> | StateOf<'joining'> }) {
  const { store, entry } = useApp();
  const texts = useTexts();
  const problem = state.screen === 'form' ? state.problem : null;
  const isJoining = state.screen === 'joining';
  const link = store.link.value;
  const isNameKnown = Boolean(link?.customer_name);
  const { form, isReady, errors, submit, keep } = useJoinForm(problem, {
    isBusy: isJoining,
    isNameKnown,
    send: (typed) => void entry.join(typed),
  });
  return (
    <Screen
      name="form"
      title={link?.department_name ?? ''}
      lead={link?.customer_name ? texts.form.welcome(link.customer_name) : texts.form.lead}
    >
      {link?.appointment ? (
        <AppointmentFacts appointment={link.appointment} />
      ) : (
        link && <LinkFacts link={link} />
      )}
      <form
        class="form"
        noValidate
        ref={form}
        onSubmit={submit}
        onInput={(event) => keep(event.currentTarget)}
        aria-busy={isJoining}
      >
        {!isNameKnown && <JoinFields errors={errors} values={entry.form} />}
        {state.screen === 'form' && state.hadPlace && <Notice role="status">{texts.form.hadPlace}</Notice>}
        {problem && Object.keys(errors).length === 0 && <ProblemNotice problem={problem} />}
        {state.screen === 'joining' && <RetryNotice retry={state.retry} stopLabel={texts.form.stop} />}
        <button
          class="button button-primary"
          type="submit"
          data-testid="join-submit"
          disabled={!isReady}
          aria-disabled={isJoining ? 'true' : undefined}
        >
          {isJoining ? texts.form.joining : texts.form.submit}
        </button>
      </form>
      <PrivacyNotice />
    </Screen>
  );
}
