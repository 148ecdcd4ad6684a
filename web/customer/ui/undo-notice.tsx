import { useLayoutEffect, useRef } from 'preact/hooks';
import { useApp } from '../app/app-context';
import { number } from '../../shared/texts/wait/wait-text';
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
  const notice = useRef<HTMLDivElement>(null);
  // The button may stand at the end of the window.
  useLayoutEffect(() => {
    if (isShown) notice.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  return (
    <div class={isShown || problem ? 'undo' : 'undo-empty'} ref={notice}>
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
