import { useApp } from '../app/app-context';
import { number } from '../format/wait-text';
import { ProblemNotice } from './problem-notice';
import { useSecondsUntil } from './use-countdown';
import type { Undoable } from './use-undoable';

interface UndoNoticeProps {
  action: Undoable;
  /** What is about to happen. */
  text: string;
  /** Of the button that takes it back. */
  undoLabel: string;
}

/** Counts down to an action that can still be taken back, and says how it failed. */
export function UndoNotice({ action: { at, isBusy, problem, undo }, text, undoLabel }: UndoNoticeProps) {
  const { language } = useApp();
  const seconds = useSecondsUntil(at);
  const isShown = at !== null || isBusy;
  return (
    <div class={isShown || problem ? 'undo' : 'undo-empty'}>
      <ProblemNotice problem={problem} />
      <p>
        {/* Read aloud once: not each second. */}
        <span role="status">{isShown && text}</span>
        {at !== null && <span aria-hidden="true"> {number(seconds, language.value)}</span>}
      </p>
      {at !== null && (
        <button class="button" type="button" data-testid="undo" onClick={undo}>
          {undoLabel}
        </button>
      )}
    </div>
  );
}
