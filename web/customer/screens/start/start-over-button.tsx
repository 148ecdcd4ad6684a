import { useEffect, useState } from 'preact/hooks';
import { useApp, useReader, useTexts } from '../../app/app-context';
import { secondText } from '../../format/time-text';
import type { Attempts } from '../../service/line-entry';
import { startOver } from '../../service/rare-entries';
import type { ApiProblem } from '../../state/server.types';
import { ProblemNotice } from '../../ui/problem-notice';
import { RetryNotice } from './retry-notice';
import { useAttempts } from './use-attempts';

interface StartOverButtonProps {
  label: string;
  isPrimary?: boolean;
  /** Another attempt than reading the link again and beginning from it. @throws ApiError */
  attempt?: (attempts: Attempts) => Promise<void>;
  /** Why the page has nothing but this button to show: it reads the link again by itself, too. */
  after?: ApiProblem | null;
}

/** Tries to get on from this screen. If the screen stays, the page says when it tried: something has happened. */
export function StartOverButton({ label, isPrimary = false, attempt, after = null }: StartOverButtonProps) {
  const services = useApp();
  const { unchanged, form } = useTexts();
  const reader = useReader();
  const { isBusy, problem, retry, stop, run } = useAttempts();
  const [triedAt, setTriedAt] = useState<number | null>(null);
  const tryOnce = async (attempts: Attempts) => {
    setTriedAt(null);
    await (attempt ?? ((how) => startOver(services, how)))(attempts);
    if (!attempts.signal.aborted) setTriedAt(Date.now());
  };
  useEffect(() => {
    if (after) run((attempts) => startOver(services, { ...attempts, after }));
  }, [after]);
  // While it waits for the next attempt, the button makes it at once.
  const isDisabled = isBusy && !retry;
  return (
    <>
      <ProblemNotice problem={problem} />
      <RetryNotice retry={retry} stopLabel={after ? undefined : form.stop} onStop={stop} />
      <button
        class={`button ${isPrimary ? 'button-primary' : ''}`}
        type="button"
        data-testid="start-over"
        aria-disabled={isDisabled ? 'true' : undefined}
        onClick={() => isDisabled || run(tryOnce)}
      >
        {label}
      </button>
      <p class="fine" role="status" data-testid="unchanged">
        {triedAt !== null && unchanged(secondText(triedAt, reader))}
      </p>
    </>
  );
}
