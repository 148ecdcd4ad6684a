import { useRef } from 'preact/hooks';
import { useApp, useTexts } from '../../app/app-context';
import { Icon } from '../../ui/icon';
import { onEscape } from '../../ui/on-escape';
import { UndoNotice } from '../../ui/undo-notice';
import { useFocusReturn } from '../../ui/use-focus-return';
import { useUndoable } from '../../ui/use-undoable';

/** Leaves the line a moment later: the place is lost. */
export function LeaveButton() {
  const { actions } = useApp();
  const { waiting } = useTexts();
  const leaving = useUndoable(() => actions.leave());
  const isPending = leaving.at !== null;
  const area = useRef<HTMLDivElement>(null);
  useFocusReturn(isPending, area, 'button');
  return (
    <div class="leave" ref={area} onKeyDown={isPending ? onEscape(leaving.undo) : undefined}>
      <button
        class="button button-quiet"
        type="button"
        data-testid="leave-queue"
        aria-disabled={leaving.isBusy ? 'true' : undefined}
        onClick={leaving.press}
      >
        <Icon name="door" /> {isPending ? waiting.leaveNow : waiting.leave}
      </button>
      <UndoNotice action={leaving} text={waiting.leaving} undoLabel={waiting.leaveUndo} />
    </div>
  );
}
