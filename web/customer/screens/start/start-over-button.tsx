import { useState } from 'preact/hooks';
import { useApp, useReader, useTexts } from '../../app/app-context';
import { secondText } from '../../format/time-text';
import { ProblemNotice } from '../../ui/problem-notice';
import { useRequest } from '../../ui/use-request';

interface StartOverButtonProps {
  label: string;
  isPrimary?: boolean;
  /** Another attempt than reading the link again and beginning from it. @throws ApiError */
  attempt?: () => Promise<void>;
}

/** Tries to get on from this screen. If the screen stays, the page says when it tried: something has happened. */
export function StartOverButton({ label, isPrimary = false, attempt }: StartOverButtonProps) {
  const { entry } = useApp();
  const { unchanged } = useTexts();
  const reader = useReader();
  const { isBusy, problem, run } = useRequest();
  const [triedAt, setTriedAt] = useState<number | null>(null);
  const tryOnce = async () => {
    setTriedAt(null);
    await (attempt ?? (() => entry.startOver()))();
    setTriedAt(Date.now());
  };
  return (
    <>
      <ProblemNotice problem={problem} />
      <button
        class={`button ${isPrimary ? 'button-primary' : ''}`}
        type="button"
        data-testid="start-over"
        aria-disabled={isBusy ? 'true' : undefined}
        onClick={() => isBusy || run(tryOnce)}
      >
        {label}
      </button>
      <p class="fine" role="status" data-testid="unchanged">
        {triedAt !== null && unchanged(secondText(triedAt, reader))}
      </p>
    </>
  );
}
