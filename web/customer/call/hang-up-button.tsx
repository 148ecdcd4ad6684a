import { useRef } from 'preact/hooks';
import { useApp, useCallTexts } from '../app/app-context';
import { onEscape } from '../ui/on-escape';
import { UndoNotice } from '../ui/undo-notice';
import { useFocusReturn } from '../ui/use-focus-return';
import { useUndoable } from '../ui/use-undoable';
import { ControlButton } from './control-button';

/** Ends the call a moment later. */
export function HangUpButton() {
  const { live } = useApp();
  const { call } = useCallTexts();
  const hangingUp = useUndoable(async () => {
    await live.socket?.emit('end_call', {});
  });
  const isPending = hangingUp.at !== null;
  const area = useRef<HTMLDivElement>(null);
  useFocusReturn(isPending, area, '[data-testid="hang-up"]');
  return (
    <div class="hang-up" ref={area} onKeyDown={isPending ? onEscape(hangingUp.undo) : undefined}>
      <ControlButton
        testId="hang-up"
        icon="hangUp"
        label={isPending ? call.hangUpNow : call.hangUp}
        isDanger
        onClick={hangingUp.press}
      />
      <UndoNotice action={hangingUp} text={call.hangingUp} undoLabel={call.hangUpUndo} />
    </div>
  );
}
