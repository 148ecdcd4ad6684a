import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useApp, useTexts } from '../../app/app-context';
import type { StateOf } from '../../state/state.types';
import { Notice } from '../../ui/notice';
import { ProblemNotice } from '../../ui/problem-notice';
import { Screen } from '../../ui/screen';
import { JoinFields } from './join-fields';
import { LinkFacts } from './link-facts';
import { RetryNotice } from './retry-notice';
import { useJoinForm } from './use-join-form';

/** The form, which stays while the join is under way: what was typed is still there if it fails. */
export function FormScreen({ state }: { state: StateOf<'form'> | StateOf<'joining'> }) {
  const { store, entry } = useApp();
  const texts = useTexts();
  const form = useRef<HTMLFormElement>(null);
  const problem = state.screen === 'form' ? state.problem : null;
  const { errors, submit, keep } = useJoinForm(problem);
  const isJoining = state.screen === 'joining';
  // In the page of the server, until the script takes it over: a press of the button would be lost.
  const [isReady, setReady] = useState(false);
  useLayoutEffect(() => {
    setReady(true);
    // What was typed before the script ran.
    if (form.current) keep(form.current);
  }, []);
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [errors]);
  const link = store.link.value;
  return (
    <Screen name="form" title={link?.department_name ?? ''} lead={texts.form.lead}>
      {link && <LinkFacts link={link} />}
      <form
        class="form"
        noValidate
        ref={form}
        onSubmit={submit}
        onInput={(event) => keep(event.currentTarget)}
        aria-busy={isJoining}
      >
        <JoinFields errors={errors} values={entry.form} />
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
    </Screen>
  );
}
