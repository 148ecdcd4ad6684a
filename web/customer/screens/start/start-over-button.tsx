import { useApp } from '../../app/app-context';
import { ProblemNotice } from '../../ui/problem-notice';
import { useRequest } from '../../ui/use-request';

/** Reads the link again and begins from it. */
export function StartOverButton({ label, isPrimary = false }: { label: string; isPrimary?: boolean }) {
  const { entry } = useApp();
  const { isBusy, problem, run } = useRequest();
  return (
    <>
      <ProblemNotice problem={problem} />
      <button
        class={`button ${isPrimary ? 'button-primary' : ''}`}
        type="button"
        aria-disabled={isBusy ? 'true' : undefined}
        onClick={() => isBusy || run(() => entry.startOver())}
      >
        {label}
      </button>
    </>
  );
}
